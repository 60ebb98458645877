import type { FieldValue } from '../row-values.ts';
import { cellsOf } from './chunk-requests.ts';
import type { GoogleApi } from './client.ts';
import { columnsRead } from './column-reads.ts';
import { rowsGone, rowsInserted, type SheetRequest } from './sheet-requests.ts';
import { POSITION_ID } from './sheet-tables.ts';
import { type TabColumns, writtenRows } from './tab-columns.ts';

export type SnapshotRow = Readonly<Record<string, FieldValue>>;

/** A row of a snapshot that stands. */
interface ExistingRow {
  readonly row: number;
  /** Whose it is. */
  readonly account: string;
  /** The id of the position; empty where an earlier version wrote the row, or accounts have one row each. */
  readonly position: string;
  /** Read only where a position has no id. */
  readonly name: string;
}

/** A tab of snapshots: rows of several accounts, each with its account's id in the hidden column. */
export interface SnapshotTab {
  readonly sheetId: number;
  readonly columns: TabColumns;
  /** How the rows of an account are distinguished; null where each account has one row. */
  readonly positions: {
    /** Whether the column of their ids is there, so that it can be read. */
    isThere: boolean;
    /** The column by which those without an id are found; null where none is shown. */
    readonly nameField: string | null;
  } | null;
  rowCount: number;
  /** Requests that make the tab or its columns; none once they were applied. */
  setup: readonly SheetRequest[];
  /** Whether the key column is there, so that it can be read. */
  isThere: boolean;
}

/** Which rows of snapshots are in a tab. */
export async function snapshotRows(
  api: GoogleApi,
  spreadsheet: string,
  tab: SnapshotTab,
  signal: AbortSignal,
): Promise<readonly ExistingRow[]> {
  if (!tab.isThere) return [];
  const { sheetId, columns, rowCount } = tab;
  const read = async (column: number) => {
    const wanted = { headersOf: [], columns: [{ sheetId, at: column, rowCount }] };
    return (await columnsRead(api, spreadsheet, wanted, signal)).columns.get(sheetId) ?? [];
  };
  const accounts = await read(columns.key);
  if (!accounts.some(isText)) return [];
  const named = async (name: string | null): Promise<readonly unknown[]> => {
    const at = columns.placed.find(({ column }) => column.name === name)?.at;
    return at === undefined ? [] : read(at);
  };
  const ids = tab.positions?.isThere === true ? await named(POSITION_ID) : [];
  const isKnown = accounts.every((account, index) => !isText(account) || isText(ids[index]));
  const names = tab.positions === null || isKnown ? [] : await named(tab.positions.nameField);
  return accounts.flatMap((account, index): ExistingRow[] => {
    if (!isText(account)) return [];
    const [position, name] = [String(ids[index] ?? ''), String(names[index] ?? '')];
    return [{ row: index + 1, account, position, name }];
  });
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/**
 * Requests that put rows in the place of those of the accounts named, and leave all others alone. The row of the same
 * position is written over, so that what a person noted next to it stays with it; no row becomes that of another.
 */
export function replacement(
  tab: SnapshotTab,
  existing: readonly ExistingRow[],
  wanted: ReadonlyMap<string, readonly SnapshotRow[]>,
  today: string,
): { readonly requests: readonly SheetRequest[]; readonly rowCount: number } {
  const { sheetId, columns } = tab;
  const requests: SheetRequest[] = [...tab.setup];
  const gone: number[] = [];
  const fresh: SnapshotRow[] = [];
  const write = (row: number, rows: readonly SnapshotRow[]): void => {
    const values = rows.map((one) => () => cellsOf({ values: () => one }, today));
    requests.push(...writtenRows(sheetId, row, columns.placed, values));
  };
  for (const [account, rows] of wanted) {
    const left = existing.filter((one) => one.account === account);
    const places = placesOf(tab.positions, left, rows);
    for (const row of rows) {
      const place = places.get(row);
      if (place === undefined) fresh.push(row);
      else write(place.row, [row]);
    }
    const taken = new Set(places.values());
    gone.push(...left.filter((one) => !taken.has(one)).map(({ row }) => row));
  }
  const rowCount = Math.max(tab.rowCount, columns.rowCount);
  if (fresh.length > 0) {
    const first = Math.max(0, ...existing.map(({ row }) => row)) + 1;
    requests.push(rowsInserted(sheetId, first, fresh.length, rowCount));
    write(first, fresh);
  }
  requests.push(...rowsGone(sheetId, gone));
  return { requests, rowCount: rowCount + fresh.length - gone.length };
}

/** Which of the rows that stand is the one of each position; those of none are missing. */
function placesOf(
  positions: SnapshotTab['positions'],
  existing: readonly ExistingRow[],
  rows: readonly SnapshotRow[],
): ReadonlyMap<SnapshotRow, ExistingRow> {
  const places = new Map<SnapshotRow, ExistingRow>();
  const [only] = existing;
  if (positions === null) return new Map(only === undefined ? [] : rows.map((row) => [row, only] as const));
  const byId = new Map(existing.toReversed().map((one) => [one.position, one]));
  const others: SnapshotRow[] = [];
  for (const row of rows) {
    const known = byId.get(row[POSITION_ID] ?? '');
    if (known === undefined || known.position === '') others.push(row);
    else places.set(row, known);
  }
  // An earlier version wrote no ids. A name that several positions have says of none which row is its own.
  const unmarked = Map.groupBy(
    existing.filter(({ position }) => position === ''),
    ({ name }) => name,
  );
  const { nameField } = positions;
  for (const [name, same] of Map.groupBy(others, (row) => row[nameField ?? ''] ?? '')) {
    const [row, ...moreRows] = same;
    const [place, ...morePlaces] = unmarked.get(name) ?? [];
    const isSure = name !== '' && moreRows.length === 0 && morePlaces.length === 0;
    if (isSure && row !== undefined && place !== undefined) places.set(row, place);
  }
  return places;
}
