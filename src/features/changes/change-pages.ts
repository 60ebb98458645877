import type { Limits } from '../../vocabulary/limits.ts';
import type { LocalDate } from '../../vocabulary/moments.ts';
import { addDays } from '../../vocabulary/moments.ts';
import type { Transaction } from '../../vocabulary/transactions.ts';
import type { SetAsideRows, TransactionRows } from '../provider-gateway/gateway-types.ts';
import type { CategoryOf } from '../reads/account-reads.ts';
import type { RowChange } from '../sync-engine/compare/row-changes.ts';
import type { VanishedOutcome } from '../sync-engine/compare/vanished-rows.ts';
import { EDGE_DAYS } from '../sync-engine/read/reading-plan.ts';
import {
  applied,
  firstDayOfLatest,
  firstProvisionalDay,
  reachesBefore,
  type SnapshotRows,
  tracked,
} from './snapshot-comparison.ts';

/** A row that the client has to delete. */
export interface RemovedRow {
  readonly id: string;
  /** The row that it became, which is among the added ones; null if the bank withdrew it. */
  readonly replacedBy: string | null;
}

export interface PageAnswer {
  readonly added: readonly Transaction[];
  readonly modified: readonly Transaction[];
  readonly removed: readonly RemovedRow[];
  readonly hasMore: boolean;
  /** The first day that is tracked. */
  readonly firstDay: LocalDate;
  /** Whether rows were left out because a ceiling was reached. */
  readonly truncated: boolean;
}

export interface ChangePage extends PageAnswer {
  /** Names the state after these changes. */
  readonly cursor: string;
  readonly setAside: SetAsideRows;
  readonly categoryOf: CategoryOf;
}

/** The state after an answer. */
export interface Reached {
  readonly observedAt: Date;
  readonly rows: SnapshotRows;
  readonly firstDay: LocalDate;
  readonly changed: boolean;
  /** How many more the round may have; 0 ends it. */
  readonly changesLeft: number;
}

/** How the bank differs from what the client has. */
interface Found {
  readonly had: SnapshotRows;
  readonly changes: readonly RowChange[];
  readonly vanished: VanishedOutcome | null;
  readonly list: TransactionRows;
  /** Epoch milliseconds at which the bank answered. */
  readonly observedAt: number;
  /** The first day that is tracked, and the one that was before this read. */
  readonly firstDay: LocalDate;
  readonly before: LocalDate;
  /** The first day of a feed that would begin now. */
  readonly shown: LocalDate;
  /** How many changes the round may still have. */
  readonly changesLeft: number;
}

/** An answer with the first so many of the changes, and the state that it leads to. Pure. */
export function pageOf(
  { had, changes, vanished, list, observedAt, ...found }: Found,
  count: number,
  limits: Pick<Limits, 'change_rows'>,
): { readonly answer: PageAnswer; readonly reached: Reached } {
  const page = changes.slice(0, count);
  const isWhole = page.length === changes.length;
  const changesLeft = isWhole ? 0 : Math.max(0, found.changesLeft - page.length);
  const next = applied(had, page, vanished, observedAt);
  const cut = firstDayOfLatest(next, limits.change_rows);
  const aged = isWhole ? agedDay(found.shown, next) : null;
  const firstDay = later(later(found.firstDay, cut), aged);
  const rows = firstDay === found.firstDay ? next : tracked(next, firstDay, list);
  return {
    answer: {
      ...netChanges(had, next, page),
      hasMore: changesLeft > 0,
      firstDay,
      truncated: (list.truncated && !reachesBefore(list, found.before)) || cut !== null,
    },
    reached: { rows, firstDay, changed: page.length > 0, changesLeft, observedAt: new Date(observedAt) },
  };
}

/** Changes differ in length, and the first ones may be longer than the others. */
const FEWER = 0.8;

/** How many of the changes fit into an answer of that length; at least one, so that a round goes on. */
export function fittingCount(count: number, most: number, lengthOf: (count: number) => number): number {
  if (count <= 1) return count;
  const length = lengthOf(count);
  if (length <= most) return count;
  return fittingCount(Math.max(1, Math.floor(((count * most) / length) * FEWER)), most, lengthOf);
}

export function later(day: LocalDate, other: LocalDate | null): LocalDate {
  return other !== null && other > day ? other : day;
}

/**
 * The first day to track from now on. A row may post, and be withdrawn, long after its purchase, which is its day; and
 * a pending row has to be tracked for as long as the bank lists it, or the row it becomes would be added beside it.
 */
function agedDay(shown: LocalDate, rows: SnapshotRows): LocalDate {
  const aged = addDays(shown, -EDGE_DAYS);
  const pending = firstProvisionalDay(rows);
  return pending !== null && pending < aged ? pending : aged;
}

/** What the changes come to for the client: each id is in one of the lists at most. */
function netChanges(had: SnapshotRows, has: SnapshotRows, changes: readonly RowChange[]) {
  const added: Transaction[] = [];
  const modified: Transaction[] = [];
  const removed = new Map<string, string | null>();
  for (const { id, change, content, replaces } of changes) {
    if (change === 'removed') removed.set(id, null);
    if (replaces !== null) removed.set(replaces, id);
    if (content?.row.kind !== 'transaction' || !has.has(id)) continue;
    (had.has(id) ? modified : added).push(content.row.transaction);
  }
  const gone = [...removed].filter(([id]) => had.has(id) && !has.has(id));
  return { added, modified, removed: gone.map(([id, replacedBy]) => ({ id, replacedBy })) };
}
