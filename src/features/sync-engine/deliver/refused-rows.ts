import type { WrittenChunk } from '../../../connectors/destinations/delivery-rows.ts';
import {
  type KnownRejection,
  REJECTED_ROWS_KEPT,
  type RejectionNote,
} from '../../../storage/rejected-rows.ts';
import type { RowId } from '../../../vocabulary/ids.ts';
import { type LocalDate, localDateAt } from '../../../vocabulary/moments.ts';
import { REFUSED_ROWS } from '../../../vocabulary/set-aside-rows.ts';
import type { Change } from '../compare/row-changes.ts';
import type { ReadPlan } from '../read/reading-plan.ts';
import type { ReadContext } from '../run/run-context.ts';

const DAY_MS = 86_400_000;
const ORIGIN = 'destination';

type RefusedChange = Pick<Change, 'account' | 'id' | 'contentMac' | 'day'>;

/** What a run has to remember of the rows that its destination refuses. */
export interface RefusedOutcome {
  /** Rows that were refused before and were not sent again, by account. */
  readonly unsent: ReadonlyMap<RowId<'account'>, { readonly count: number }>;
  /** At most REJECTED_ROWS_KEPT. */
  readonly notes: readonly RejectionNote[];
  /** Refused rows beyond those. */
  readonly beyond: number;
}

export const NOTHING_REFUSED: RefusedOutcome = { unsent: new Map(), notes: [], beyond: 0 };

/**
 * Whether a refused row that has not changed is sent again: in the first run of each UTC day, because destinations judge
 * a row by the day as well, and after a change of the sync.
 */
export function isDue(
  { last_seen: seen }: Pick<KnownRejection, 'last_seen'>,
  { clock, sync }: Pick<ReadContext, 'clock' | 'sync'>,
): boolean {
  return localDateAt(seen.getTime(), 'UTC') !== localDateAt(clock.now(), 'UTC') || sync.updated > seen;
}

/** Rows that the destination refuses: those remembered from before, and those of one attempt. */
export class RefusedRows {
  readonly #context: Pick<ReadContext, 'clock' | 'sync'>;
  readonly #known: ReadonlyMap<string, KnownRejection>;
  readonly #isFull: boolean;
  readonly #met = new Set<string>();
  readonly #notes = new Map<string, RejectionNote>();
  readonly #unsent = new Map<RowId<'account'>, { count: number }>();
  #beyond = 0;
  /** Rows refused that were not refused before as they are now. */
  fresh = 0;

  constructor(context: Pick<ReadContext, 'clock' | 'sync' | 'rejected'>) {
    this.#context = context;
    const known = context.rejected.filter(({ origin }) => origin === ORIGIN);
    this.#known = new Map(known.map((row) => [keyOf(row.account, row.row_key), row]));
    this.#isFull = context.rejected.length >= REJECTED_ROWS_KEPT;
  }

  get outcome(): RefusedOutcome {
    return { unsent: this.#unsent, notes: [...this.#notes.values()], beyond: this.#beyond };
  }

  /** The remembered row, where the destination refused it as it is now. */
  unchanged({ account, id, contentMac }: Pick<RefusedChange, 'account' | 'id' | 'contentMac'>) {
    const known = this.#known.get(keyOf(account, id));
    return known?.content_mac === contentMac ? known : undefined;
  }

  /** Whether the change is not sent, because the destination refused it before and nothing says that it takes it now. */
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
      origin: ORIGIN,
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
      // Beyond the rows that are remembered, nobody knows which were refused before.
      if (known === undefined ? !this.#isFull : known.content_mac !== contentMac) this.fresh += 1;
      if (this.#notes.size >= REJECTED_ROWS_KEPT && !this.#notes.has(key)) {
        this.#beyond += 1;
        continue;
      }
      const { field, reason } = REFUSED_ROWS[refusals?.get(id) ?? 'unknown'];
      this.#notes.set(key, {
        account,
        origin: ORIGIN,
        row_key: id,
        source_id: id,
        day: day === null ? null : localDateAt(day * DAY_MS, 'UTC'),
        field,
        reason,
        content_mac: contentMac,
      });
    }
  }

  /** Remembered rows of an account that was read and delivered to its end, and that are refused no more. */
  over(account: RowId<'account'>, plan: Pick<ReadPlan, 'expected' | 'everything' | 'window'>) {
    return [...this.#known].flatMap(([key, { account: own, origin, row_key, day }]) => {
      if (own !== account || this.#notes.has(key)) return [];
      return this.#met.has(key) || shows(plan, day) ? [{ account, origin, row_key }] : [];
    });
  }
}

/** Whether a read by this plan finds each row of the day that the bank has. */
function shows(
  { expected, everything, window }: Pick<ReadPlan, 'expected' | 'everything' | 'window'>,
  day: LocalDate | null,
): boolean {
  if (everything) return day === null || day <= window.to;
  return expected !== null && day !== null && day >= expected.from && day <= expected.to;
}

const keyOf = (account: RowId<'account'>, id: string): string => `${account} ${id}`;
