import type { FieldValue } from '../row-values.ts';
import { cellsOf } from './chunk-requests.ts';
import { columnsRead } from './column-reads.ts';
import type { GoogleApi } from './google-api.ts';
import { rowsGone, rowsInserted, type SheetRequest } from './sheet-requests.ts';
import { type TabColumns, writtenRows } from './tab-columns.ts';

export type SnapshotRow = Readonly<Record<string, FieldValue>>;

/** A row of a snapshot that stands: whose it is, and what it is of. */
interface StandingRow {
  readonly row: number;
  readonly account: string;
  readonly name: string;
}

/** A tab of snapshots: rows of several accounts, each with its account's id in the hidden column. */
export interface SnapshotTab {
  readonly sheetId: number;
  readonly columns: TabColumns;
  /** The column that tells an account's rows apart. */
  readonly nameField: string;
  rowCount: number;
  /** Requests that make the tab or its columns; none once they were applied. */
  setup: readonly SheetRequest[];
  /** Whether the key column stands there, so that it can be read. */
  isThere: boolean;
}

/** Which rows of snapshots stand in a tab. */
export async function snapshotRows(
  api: GoogleApi,
  spreadsheet: string,
  tab: SnapshotTab,
  signal: AbortSignal,
): Promise<readonly StandingRow[]> {
  if (!tab.isThere) return [];
  const { sheetId, columns, rowCount } = tab;
  const at = columns.placed.find(({ column }) => column.name === tab.nameField)?.at ?? columns.key;
  const read = async (column: number) => {
    const wanted = { headersOf: [], columns: [{ sheetId, at: column, rowCount }] };
    return (await columnsRead(api, spreadsheet, wanted, signal)).columns.get(sheetId) ?? [];
  };
  const accounts = await read(columns.key);
  if (!accounts.some(isText)) return [];
  const names = await read(at);
  return accounts.flatMap((account, index) =>
    isText(account) ? [{ row: index + 1, account, name: String(names[index] ?? '') }] : [],
  );
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/**
 * Requests that put rows in the place of those of the accounts named, and leave all others alone. A row of the same
 * name is written over, so that what a person noted next to it stays with it.
 */
export function replacement(
  tab: SnapshotTab,
  standing: readonly StandingRow[],
  wanted: ReadonlyMap<string, readonly SnapshotRow[]>,
  today: string,
): { readonly requests: readonly SheetRequest[]; readonly rowCount: number } {
  const { sheetId, columns } = tab;
  const requests: SheetRequest[] = [...tab.setup];
  const gone: number[] = [];
  const fresh: SnapshotRow[] = [];
  const write = (row: number, rows: readonly SnapshotRow[]): void => {
    const values = rows.map((one) => cellsOf({ id: '', values: one }, today));
    requests.push(...writtenRows(sheetId, row, columns.placed, values));
  };
  for (const [account, rows] of wanted) {
    const left = standing.filter((one) => one.account === account);
    for (const row of rows) {
      const at = left.findIndex(({ name }) => name === (row[tab.nameField] ?? ''));
      const [found] = at === -1 ? [] : left.splice(at, 1);
      if (found === undefined) fresh.push(row);
      else write(found.row, [row]);
    }
    gone.push(...left.map(({ row }) => row));
  }
  const rowCount = Math.max(tab.rowCount, columns.rowCount);
  if (fresh.length > 0) {
    const first = Math.max(0, ...standing.map(({ row }) => row)) + 1;
    requests.push(rowsInserted(sheetId, first, fresh.length, rowCount));
    write(first, fresh);
  }
  requests.push(...rowsGone(sheetId, gone));
  return { requests, rowCount: rowCount + fresh.length - gone.length };
}
