import {
  type KnownRejection,
  REJECTED_ROWS_KEPT,
  type RejectedRowKey,
  type RejectionNote,
} from '../../../storage/rejected-rows.ts';
import type { RowId } from '../../../vocabulary/ids.ts';
import { type LocalDate, localDateAt } from '../../../vocabulary/moments.ts';
import type { SetAside } from '../../../vocabulary/set-aside-rows.ts';
import type { ReadContext } from '../run/run-context.ts';
import type { ReadPlan } from './reading-plan.ts';

const DAY_MS = 86_400_000;
const ORIGIN = 'provider';
/** A row without an id may be any that was delivered of the days around its own: banks correct both. */
const NEAR_DAYS = 1;

/** What a run has to remember of one account's rows that could not be read. */
export interface AsideOutcome {
  /** How many there were. */
  readonly count: number;
  /** At most REJECTED_ROWS_KEPT of them. */
  readonly notes: readonly RejectionNote[];
}

/** Rows of one account that could not be read in one attempt, and those remembered from before. */
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
  /** Whether a row was set aside of which nobody can say which delivered row it is. */
  #anyDay = false;

  constructor(
    account: RowId<'account'>,
    { macs, sync, range, rejected }: Pick<ReadContext, 'macs' | 'sync' | 'range' | 'rejected'>,
  ) {
    this.#account = account;
    this.#macs = macs;
    this.#first = sync.options.data_from;
    this.#range = range;
    const own = rejected.filter((row) => row.account === account && row.origin === ORIGIN);
    this.#known = new Map(own.map((row) => [row.row_key, row]));
  }

  /** Takes a row that could not be read. */
  readonly add: SetAside = ({ id, key, day, field, reason }) => {
    this.#spare(id, day);
    if (!this.#isWanted(day)) return;
    const rowKey = id ?? `mac:${this.#macs.aside(key)}`;
    if (this.#notes.has(rowKey)) return;
    this.#count += 1;
    if (this.#notes.size >= REJECTED_ROWS_KEPT) return;
    this.#notes.set(rowKey, {
      account: this.#account,
      origin: ORIGIN,
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

  /** Remembered rows that are over once the account was read and delivered to its end: mended, or gone from the bank. */
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

  /** As `over`, where everything that the account holds was read. */
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
