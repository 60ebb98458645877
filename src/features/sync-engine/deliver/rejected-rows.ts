import type { WrittenChunk } from '../../../connectors/destinations/delivery-rows.ts';
import {
  type KnownRejection,
  REJECTED_ROWS_KEPT,
  type RejectedRowKey,
  type RejectionNote,
} from '../../../storage/rejected-rows.ts';
import type { RowId } from '../../../vocabulary/ids.ts';
import { type LocalDate, localDateAt } from '../../../vocabulary/moments.ts';
import { REFUSED_ROWS, type SetAside } from '../../../vocabulary/set-aside-rows.ts';
import type { Change } from '../compare/row-changes.ts';
import type { ReadPlan } from '../read/reading-plan.ts';
import type { CompareContext, ReadContext } from '../run/run-context.ts';

const DAY_MS = 86_400_000;
const PROVIDER = 'provider';
/** A row without an id may be any delivered row of the days around its own: banks correct both. */
const NEAR_DAYS = 1;

/** What a run has to record about one account's rows that could not be read. */
export interface AsideOutcome {
  /** How many there were. */
  readonly count: number;
  /** At most REJECTED_ROWS_KEPT of them. */
  readonly notes: readonly RejectionNote[];
}

/** Rows of one account that could not be read in one attempt, and those recorded before. */
export class RowsAside {
  readonly #account: RowId<'account'>;
  readonly #macs: Pick<ReadContext['macs'], 'aside'>;
  readonly #first: LocalDate;
  readonly #range: ReadContext['range'];
  /** By row key. */
  readonly #known: ReadonlyMap<string, KnownRejection>;
  readonly #read = new Set<string>();
  readonly #notes = new Map<string, RejectionNote>();
  readonly #ids = new Set<string>();
  /** Days since 1970 around those of rows without an id. */
  readonly #days = new Set<number>();
  #count = 0;
  /** Whether a row was set aside that might be any delivered row. */
  #anyDay = false;

  constructor(
    account: RowId<'account'>,
    { macs, sync, range, rejected }: Pick<CompareContext, 'macs' | 'sync' | 'range' | 'rejected'>,
  ) {
    this.#account = account;
    this.#macs = macs;
    this.#first = sync.options.data_from;
    this.#range = range;
    const own = rejected.filter((row) => row.account === account && row.origin === PROVIDER);
    this.#known = new Map(own.map((row) => [row.row_key, row]));
  }

  /** Adds a row that could not be read. */
  readonly add: SetAside = ({ id, key, day, field, reason }) => {
    this.#spare(id, day);
    if (!this.#isWanted(day)) return;
    const rowKey = id ?? `mac:${this.#macs.aside(key)}`;
    if (this.#notes.has(rowKey)) return;
    this.#count += 1;
    if (this.#notes.size >= REJECTED_ROWS_KEPT) return;
    this.#notes.set(rowKey, {
      account: this.#account,
      origin: PROVIDER,
      row_key: rowKey,
      source_id: id,
      day,
      field,
      reason,
      content_mac: null,
    });
  };

  get count(): number {
    return this.#count;
  }

  get outcome(): AsideOutcome {
    return { count: this.#count, notes: [...this.#notes.values()] };
  }

  /** Ids of rows that were set aside: the bank still has these rows. */
  get ids(): ReadonlySet<string> {
    return this.#ids;
  }

  /** A row that could be read. */
  saw(id: string): void {
    if (this.#known.has(id)) this.#read.add(id);
  }

  /** Whether a delivered row that was not read may be one of those set aside. `day`: days since 1970. */
  mayBe(day: number | null): boolean {
    return this.#anyDay || (day === null ? this.#days.size > 0 : this.#days.has(day));
  }

  /**
   * Recorded rows that are resolved once the account was read and delivered completely: corrected, or gone from the
   * bank.
   */
  over(
    { window, everything, range }: Pick<ReadPlan, 'window' | 'everything' | 'range'>,
    timezone: string,
  ): RejectedRowKey[] {
    const since = window.since === null ? window.from : localDateAt(window.since, timezone);
    const from = range?.from ?? (since > window.from ? since : window.from);
    const to = range?.to ?? window.to;
    return [...this.#known.values()].filter(({ row_key: key, day }) => {
      if (this.#notes.has(key)) return false;
      if (this.#read.has(key)) return true;
      return day === null ? everything : day >= from && day <= to;
    });
  }

  /** As `over`, if everything that the account holds was read. */
  overNow(): RejectedRowKey[] {
    return [...this.#known.values()].filter(({ row_key: key }) => !this.#notes.has(key));
  }

  /** A wide read begins before the sync's first day, and a backfill delivers nothing outside of its days. */
  #isWanted(day: LocalDate | null): boolean {
    if (day === null) return true;
    if (day < this.#first) return false;
    return this.#range === null || (day >= this.#range.from && day <= this.#range.to);
  }

  #spare(id: string | null, day: LocalDate | null): void {
    if (id !== null && this.#ids.size < REJECTED_ROWS_KEPT) this.#ids.add(id);
    else if (day === null || id !== null) this.#anyDay = true;
    else {
      const at = Date.parse(day) / DAY_MS;
      for (let near = at - NEAR_DAYS; near <= at + NEAR_DAYS; near++) this.#days.add(near);
    }
  }
}

const DESTINATION = 'destination';

type RefusedChange = Pick<Change, 'account' | 'id' | 'contentMac' | 'day'>;

/** What a run has to record about the rows that its destination refuses. */
export interface RefusedOutcome {
  /** Rows that were refused before and were not sent again, by account. */
  readonly unsent: ReadonlyMap<RowId<'account'>, { readonly count: number }>;
  /** At most REJECTED_ROWS_KEPT. */
  readonly notes: readonly RejectionNote[];
  /** How many refused rows there are beyond those. */
  readonly beyond: number;
}

export const NOTHING_REFUSED: RefusedOutcome = { unsent: new Map(), notes: [], beyond: 0 };

/**
 * Whether a refused row that has not changed is sent again: in the first run of each UTC day, because whether a
 * destination accepts a row can depend on the day, and after a change of the sync.
 */
export function isDue(
  { last_seen: seen }: Pick<KnownRejection, 'last_seen'>,
  { clock, sync }: Pick<ReadContext, 'clock' | 'sync'>,
): boolean {
  return localDateAt(seen.getTime(), 'UTC') !== localDateAt(clock.now(), 'UTC') || sync.updated > seen;
}

/** Rows that the destination refuses: those recorded before, and those of one attempt. */
export class RefusedRows {
  readonly #context: Pick<ReadContext, 'clock' | 'sync'>;
  readonly #known: ReadonlyMap<string, KnownRejection>;
  readonly #isFull: boolean;
  readonly #met = new Set<string>();
  readonly #notes = new Map<string, RejectionNote>();
  readonly #unsent = new Map<RowId<'account'>, { count: number }>();
  #beyond = 0;
  /** Refused rows that were not already refused in their current form. */
  fresh = 0;

  constructor(context: Pick<ReadContext, 'clock' | 'sync' | 'rejected'>) {
    this.#context = context;
    const known = context.rejected.filter(({ origin }) => origin === DESTINATION);
    this.#known = new Map(known.map((row) => [keyOf(row.account, row.row_key), row]));
    this.#isFull = context.rejected.length >= REJECTED_ROWS_KEPT;
  }

  get outcome(): RefusedOutcome {
    return { unsent: this.#unsent, notes: [...this.#notes.values()], beyond: this.#beyond };
  }

  /** The recorded row, if the destination refused it in its current form. */
  unchanged({ account, id, contentMac }: Pick<RefusedChange, 'account' | 'id' | 'contentMac'>) {
    const known = this.#known.get(keyOf(account, id));
    return known?.content_mac === contentMac ? known : undefined;
  }

  /**
   * Whether the change is not sent, because the destination refused it before and there is no reason to expect
   * otherwise now.
   */
  keepsBack(change: RefusedChange): boolean {
    const { account, id } = change;
    const key = keyOf(account, id);
    if (this.#known.has(key)) this.#met.add(key);
    const known = this.unchanged(change);
    if (known === undefined || isDue(known, this.#context)) return false;
    const line = this.#unsent.get(account) ?? { count: 0 };
    if (!this.#notes.has(key)) line.count += 1;
    this.#unsent.set(account, line);
    const { source_id, day, field, reason, content_mac } = known;
    this.#notes.set(key, {
      account,
      origin: DESTINATION,
      row_key: id,
      source_id,
      day,
      field,
      reason,
      content_mac,
    });
    return true;
  }

  /** Takes the answer to a chunk. */
  answered(changes: readonly RefusedChange[], { rejected, refusals }: WrittenChunk): void {
    if (rejected.length === 0) return;
    const refused = new Set(rejected);
    for (const { account, id, contentMac, day } of changes) {
      if (!refused.has(id)) continue;
      const key = keyOf(account, id);
      const known = this.#known.get(key);
      // Beyond the recorded rows, it is unknown which were refused before.
      if (known === undefined ? !this.#isFull : known.content_mac !== contentMac) this.fresh += 1;
      if (this.#notes.size >= REJECTED_ROWS_KEPT && !this.#notes.has(key)) {
        this.#beyond += 1;
        continue;
      }
      const { field, reason } = REFUSED_ROWS[refusals?.get(id) ?? 'unknown'];
      this.#notes.set(key, {
        account,
        origin: DESTINATION,
        row_key: id,
        source_id: id,
        day: day === null ? null : localDateAt(day * DAY_MS, 'UTC'),
        field,
        reason,
        content_mac: contentMac,
      });
    }
  }

  /** Recorded rows, of an account that was read and delivered completely, that are no longer refused. */
  over(account: RowId<'account'>, plan: Pick<ReadPlan, 'expected' | 'everything' | 'window'>) {
    return [...this.#known].flatMap(([key, { account: own, origin, row_key, day }]) => {
      if (own !== account || this.#notes.has(key)) return [];
      return this.#met.has(key) || shows(plan, day) ? [{ account, origin, row_key }] : [];
    });
  }
}

/** Whether a read by this plan finds every row that the bank has of the day. */
function shows(
  { expected, everything, window }: Pick<ReadPlan, 'expected' | 'everything' | 'window'>,
  day: LocalDate | null,
): boolean {
  if (everything) return day === null || day <= window.to;
  return expected !== null && day !== null && day >= expected.from && day <= expected.to;
}

const keyOf = (account: RowId<'account'>, id: string): string => `${account} ${id}`;
