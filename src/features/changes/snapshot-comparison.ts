import type { SnapshotRow } from '../../storage/packed-snapshots.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { addDays, type LocalDate, localDateAt } from '../../vocabulary/moments.ts';
import type { Transaction } from '../../vocabulary/transactions.ts';
import type { TransactionRows } from '../provider-gateway/gateway-types.ts';
import { formerIds } from '../sync-engine/compare/reissued-rows.ts';
import type { RowChange } from '../sync-engine/compare/row-changes.ts';
import type { RowMacs } from '../sync-engine/compare/row-macs.ts';
import { RowsDiff } from '../sync-engine/compare/rows-diff.ts';
import type { VanishedOutcome } from '../sync-engine/compare/vanished-rows.ts';
import type { ReadPlan } from '../sync-engine/read/reading-plan.ts';
import { HistoryCount } from '../sync-engine/read/run-reads.ts';
import { FoundRows, SeenIds } from '../sync-engine/read/seen-ids.ts';
import { plainRow, rowDate } from '../sync-engine/read/source-row.ts';
import type { RowSource } from '../sync-engine/read/sync-source.ts';
import { RowPlaces } from '../syncs/row-places.ts';
import { snapshotLedger } from './snapshot-ledger.ts';

const DAY_MS = 86_400_000;
const NONE: ReadonlySet<string> = new Set();
const NO_PLACES = new RowPlaces({
  type: 'transactions',
  account_mappings: [],
  category_mappings: [],
  columns: null,
});

/** The rows of a client, by id. */
export type SnapshotRows = ReadonlyMap<string, SnapshotRow>;

/** What the bank was read for and answered. */
export interface SnapshotRead {
  readonly account: RowSource['account'];
  readonly timezone: string;
  readonly plan: Pick<ReadPlan, 'window' | 'expected' | 'everything' | 'range'>;
  readonly list: TransactionRows;
  /** Epoch milliseconds at which the bank answered. */
  readonly observedAt: number;
  /** The first day that is tracked. */
  readonly firstDay: LocalDate;
  /** Whether the provider is still copying the history, so that any row may be missing. */
  readonly loading: boolean;
  /** The owner's category of a row, which clients see as part of it. */
  readonly categoryOf: (row: Transaction) => string | null;
}

interface Tools {
  readonly limits: Limits;
  readonly macs: RowMacs;
  readonly signal: AbortSignal;
  readonly noteSharedId: (account: RowId<'account'>, id: string) => Promise<void>;
}

/** How the bank differs from what the client has. */
interface Difference {
  readonly changes: readonly RowChange[];
  /** What the read shows of rows that it lacks; null if it shows nothing. */
  readonly vanished: VanishedOutcome | null;
}

/**
 * Compares a read with the rows of a client, by the comparison of syncs: what counts as changed, as moved to another id
 * and as removed is decided there.
 */
export async function differenceOf(
  rows: SnapshotRows,
  { account, timezone, plan, list, observedAt, firstDay, loading, categoryOf }: SnapshotRead,
  { limits, macs, signal, noteSharedId }: Tools,
): Promise<Difference> {
  const state = loading ? 'loading' : 'complete';
  const source: RowSource = {
    account,
    timezone,
    history: async () => state,
    pages: async function* ({ setAside }) {
      for (const row of list.setAside.rows) setAside?.(row);
      // Rows that were counted and not listed may be any.
      if (list.setAside.count > list.setAside.rows.length)
        setAside?.({ id: null, key: '', day: null, field: 'row', reason: 'unreadable' });
      yield list.rows;
    },
    trades: async function* () {},
  };
  const context = {
    clock: { now: () => observedAt },
    limits,
    sync: { type: 'transactions', options: { data_from: firstDay } },
    ledger: snapshotLedger(rows),
    macs,
    places: NO_PLACES,
    rules: (row: Transaction) => plainRow(row, categoryOf(row)),
    reading: signal,
    range: null,
    rejected: [],
    completeEntries: async () => false,
    noteSharedId,
  } as const;
  const stream = {
    id: 0,
    account: account.id,
    cursor: null,
    generation: 0,
    redelivering: false,
    present: true,
  };
  const diff = new RowsDiff(
    context,
    stream,
    source,
    { underWay: new FoundRows(), sent: new SeenIds(), held: NONE },
    {
      plan: { ...plan, sweeps: [], within: null },
      state,
      known: rows.size > 0,
      count: new HistoryCount(0),
      gapConfirmed: false,
    },
  );
  const changes: RowChange[] = [];
  for await (const page of diff.changes()) changes.push(...page);
  return { changes, vanished: diff.vanished };
}

/** The rows of a client once it has these changes. */
export function applied(
  rows: SnapshotRows,
  changes: readonly RowChange[],
  vanished: VanishedOutcome | null,
  observedAt: number,
): Map<string, SnapshotRow> {
  const next = new Map(rows);
  for (const { change, id, replaces, contentMac, pairMac, matchMac, provisional, day } of changes) {
    if (replaces !== null) next.delete(replaces);
    if (change === 'removed') next.delete(id);
    else next.set(id, { id, contentMac, pairMac, matchMac, provisional, day, missingSince: null });
  }
  const note = (id: string, missingSince: number | null): void => {
    const row = next.get(id);
    if (row !== undefined) next.set(id, { ...row, missingSince });
  };
  for (const id of vanished?.noted ?? []) note(id, observedAt);
  // Removals that follow on a later page keep their evidence.
  const withdrawn = new Set(vanished?.removed.map(({ source_id: id }) => id));
  for (const id of vanished?.cleared ?? []) if (!withdrawn.has(id)) note(id, null);
  return next;
}

/**
 * Rows of tracked days. Banks disagree with themselves about days: a row that the list has within them is kept, and one
 * without a day only as long as it is listed.
 */
export function tracked(rows: SnapshotRows, firstDay: LocalDate, list: TransactionRows): SnapshotRows {
  const first = Date.parse(firstDay) / DAY_MS;
  const kept = new Map<string, SnapshotRow>();
  let listed: ReadonlySet<string> | null = null;
  for (const [id, row] of rows) {
    const isTracked = row.day === null ? row.provisional : row.day >= first;
    listed ??= isTracked ? null : idsFrom(list, firstDay);
    if (isTracked || listed?.has(id) === true) kept.set(id, row);
  }
  return kept;
}

function idsFrom(list: TransactionRows, firstDay: LocalDate): ReadonlySet<string> {
  const ids = new Set<string>(list.setAside.rows.flatMap(({ id }) => id ?? []));
  for (const row of list.rows) {
    const date = rowDate(row);
    if (date !== null && date < firstDay) continue;
    ids.add(row.id);
    for (const id of formerIds(row)) ids.add(id);
  }
  return ids;
}

/** Whether a cut list has rows of earlier days, and so every row since this one. */
export function reachesBefore({ rows }: TransactionRows, day: LocalDate): boolean {
  return rows.some((row) => (row.date ?? row.post_date ?? day) < day);
}

/** The day of the oldest pending row; null if no row is pending, or none has a day. */
export function firstProvisionalDay(rows: SnapshotRows): LocalDate | null {
  const days = [...rows.values()].flatMap(({ provisional, day }) =>
    provisional && day !== null ? [day] : [],
  );
  const [oldest] = days.sort((a, b) => a - b);
  return oldest === undefined ? null : localDateAt(oldest * DAY_MS, 'UTC');
}

/** The first day that a cut list has whole: of its oldest day, some rows may be missing. */
export function firstWholeDay({ rows }: TransactionRows): LocalDate | null {
  const days = rows.flatMap((row) => row.date ?? row.post_date ?? []).sort();
  const [oldest] = days;
  const newest = days.at(-1);
  if (oldest === undefined || newest === undefined) return null;
  return oldest === newest ? oldest : addDays(oldest, 1);
}

/** The first day from which there are at most so many rows; null if there are no more than that. */
export function firstDayOfLatest(rows: SnapshotRows, most: number): LocalDate | null {
  if (rows.size <= most) return null;
  const days = [...rows.values()].map(({ day }) => day ?? Number.POSITIVE_INFINITY).sort((a, b) => b - a);
  const day = days[most] ?? Number.POSITIVE_INFINITY;
  return Number.isFinite(day) ? localDateAt((day + 1) * DAY_MS, 'UTC') : null;
}
