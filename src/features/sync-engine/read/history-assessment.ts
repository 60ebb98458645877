import type { HistoryState } from '../../../connectors/providers/provider-contract.ts';
import type { HistoryObservation } from '../../../storage/stream-reading-tables.ts';
import type { LocalDate } from '../../../vocabulary/moments.ts';
import { isPending, postingDayOf, type SourceRow } from './source-row.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A provider that says `loading` for longer is not believed any more; then the rows decide. */
const LOADING_BELIEVED_MS = 7 * DAY_MS;

/** How old a loading history is at most while its sync runs again soon, by which of the waits after a failure. */
const LOOKS: readonly { readonly youngerThanMs: number; readonly wait: number }[] = [
  { youngerThanMs: HOUR_MS, wait: 1 },
  { youngerThanMs: 4 * HOUR_MS, wait: 2 },
  { youngerThanMs: DAY_MS, wait: 3 },
];

/** Oldest posted row, and number of posted rows up to a day, of a read of the whole window. Days since 1970. */
export class HistoryCount {
  readonly until: number;
  oldest: number | null = null;
  rows = 0;

  constructor(until: number) {
    this.until = until;
  }

  add(row: SourceRow): void {
    const day = isPending(row) ? null : postingDayOf(row);
    if (day === null || day > this.until) return;
    this.rows += 1;
    if (this.oldest === null || day < this.oldest) this.oldest = day;
  }
}

/** The last day counted: rows older than the overlap do not come and go with the days. */
export function countUntil(known: HistoryObservation | null, now: number, overlapDays: number): number {
  return known?.until ?? Math.floor(now / DAY_MS) - overlapDays;
}

/**
 * Whether a history is whole after a read of its window, and what to remember if it is not. What the provider says counts;
 * without it, the oldest row and the number of rows must have stayed the same over two reads, `settleMs` apart or more.
 */
export function assessHistory(
  state: HistoryState,
  known: HistoryObservation | null,
  count: Pick<HistoryCount, 'until' | 'oldest' | 'rows'>,
  { from, now, settleMs }: { readonly from: LocalDate; readonly now: number; readonly settleMs: number },
): HistoryObservation | null {
  if (state === 'complete') return null;
  const { until, oldest, rows } = count;
  const before = known !== null && known.from === from && known.until === until ? known : null;
  const since = Math.min(before?.since ?? now, now);
  const same = before !== null && before.oldest === oldest && before.rows === rows;
  // A clock that was set back must not make the wait longer.
  const changedAt = same ? Math.min(before.changedAt, now) : now;
  const believed = state === 'loading' && now - since < LOADING_BELIEVED_MS;
  if (!believed && same && now - changedAt >= settleMs) return null;
  return { v: 1, from, until, oldest, rows, since, changedAt };
}

/** Which wait comes before the next look at a history that is loading since then; null: that of the schedule. */
export function nextLook(since: number, now: number): number | null {
  return LOOKS.find(({ youngerThanMs }) => now - since < youngerThanMs)?.wait ?? null;
}
