import type { DeliveredRows } from '../../../storage/delivered-rows.ts';
import { addDays, type LocalDate, localDate } from '../../../vocabulary/moments.ts';
import type { RunRange } from '../../../vocabulary/syncs.ts';
import { type WindowInput, wholeWindow } from '../read/reading-plan.ts';
import { isPending, rowDate, type SourceRow } from '../read/source-row.ts';
import type { SourceWindow } from '../read/sync-source.ts';

/**
 * Banks list rows by the day of the purchase, while deliveries record the day of the posting: up to this many days
 * later.
 */
const EDGE_DAYS = 31;
const EPOCH = localDate('1970-01-01');

/** What is replayed of one account. */
export interface ReplayedRows {
  /** To be read one after the other until nothing more is wanted. */
  readonly windows: readonly SourceWindow[];
  /** The rows that are wanted and were not taken before. */
  take(rows: readonly SourceRow[]): readonly SourceRow[];
  /** The pending row that the row replaced when it was delivered. */
  replaced(id: string): string | null;
  /** Ids that were delivered as removed. */
  readonly removed: readonly string[];
  /** How many are wanted and were not found so far; null if unknown. */
  readonly missing: number | null;
}

/**
 * The rows of one delivery: searched first on their days at the time, then in everything since the sync's first day.
 */
export function rowsOfDelivery({ days, rows }: DeliveredRows, input: WindowInput): ReplayedRows {
  const wanted = new Map(rows.filter(({ removed }) => !removed).map(({ id, replaces }) => [id, replaces]));
  const replaced = new Map(wanted);
  const whole = wholeWindow(input);
  return {
    windows: days === null ? [whole] : [around(days, whole), whole],
    take: (page) => page.filter(({ id }) => wanted.delete(id)),
    replaced: (id) => replaced.get(id) ?? null,
    removed: rows.filter(({ removed }) => removed).map(({ id }) => id),
    get missing() {
      return wanted.size;
    },
  };
}

function around({ first, last }: { first: number; last: number }, whole: SourceWindow): SourceWindow {
  const from = later(addDays(EPOCH, first - EDGE_DAYS), whole.from);
  const to = addDays(EPOCH, last + EDGE_DAYS);
  return { ...whole, from, to: later(from, to < whole.to ? to : whole.to) };
}

const later = (one: LocalDate, other: LocalDate): LocalDate => (one > other ? one : other);

/**
 * Every row of the days, as in a backfill. Banks repeat rows where a page ends, so those of the previous page are
 * remembered.
 */
export function rowsOfDays(range: RunRange, { options }: WindowInput): ReplayedRows {
  let before: ReadonlySet<string> = new Set();
  return {
    windows: [{ ...range, since: null, includePending: options.include_pending }],
    take: (page) => {
      const rows = [...new Map(page.filter((row) => isOf(row, range)).map((row) => [row.id, row])).values()];
      const known = before;
      before = new Set(rows.map(({ id }) => id));
      return rows.filter(({ id }) => !known.has(id));
    },
    replaced: () => null,
    removed: [],
    missing: null,
  };
}

function isOf(row: SourceRow, { from, to }: RunRange): boolean {
  const date = rowDate(row);
  return date === null ? !isPending(row) : date >= from && date <= to;
}
