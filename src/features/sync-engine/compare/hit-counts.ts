import type { RowId } from '../../../vocabulary/ids.ts';
import type { RuledTransaction } from './row-rules.ts';

const DAY_MS = 86_400_000;

/** How often each rule acted. A rule counts a row when the row is sent, and a row it skips once. */
export class HitCounts {
  readonly #counts = new Map<RowId<'rule'>, number>();

  get counts(): ReadonlyMap<RowId<'rule'>, number> {
    return this.#counts;
  }

  add(rules: readonly RowId<'rule'>[]): void {
    for (const rule of rules) this.#counts.set(rule, (this.#counts.get(rule) ?? 0) + 1);
  }

  /**
   * A skipped row, of which nothing is remembered: it counts in the run that reads it first, recognised by whether
   * the provider recorded it since the account's cursor. So the overlap of windows does not count it again every run.
   */
  addSkipped({ source, hits }: RuledTransaction, cursor: Date | null): void {
    if (cursor === null || recordedAt(source) >= cursor.getTime()) this.add(hits);
  }
}

/** The latest moment at which the provider can have recorded the row, in epoch milliseconds. */
function recordedAt(row: RuledTransaction['source']): number {
  const moment = row.post_datetime ?? (row.status === 'pending' ? row.datetime : null);
  if (moment !== null) return Date.parse(moment);
  const day = row.post_date ?? row.date;
  return day === null ? 0 : Date.parse(day) + DAY_MS;
}
