import type { GoogleApi } from './client.ts';
import { columnsRead } from './column-reads.ts';
import type { SheetTable } from './sheet-tables.ts';
import { type TabColumns, tabColumns } from './tab-columns.ts';
import type { Tab } from './workbook.ts';

/**
 * As `tabColumns`, and a column that only its header makes one of ours is left to the person where rows of ours show
 * something in it: no mark says that we wrote it. Asks Google only where there is such a column.
 */
export async function ownColumns(
  api: GoogleApi,
  spreadsheet: string,
  { tab, table, headers, mark }: OwnColumnsOf,
  signal: AbortSignal,
): Promise<TabColumns> {
  const columns = tabColumns(tab, table, headers, mark);
  if (columns.unsure.length === 0) return columns;
  const { sheetId, rowCount } = tab;
  const read = async (at: number): Promise<readonly unknown[]> => {
    const wanted = { headersOf: [], columns: [{ sheetId, at, rowCount }] };
    return (await columnsRead(api, spreadsheet, wanted, signal)).columns.get(sheetId) ?? [];
  };
  const keys = await read(columns.key);
  const theirs = new Set<number>();
  for (const at of columns.unsure) {
    const values = await read(at);
    if (values.some((value, row) => isFilled(value) && isFilled(keys[row]))) theirs.add(at);
  }
  return theirs.size === 0 ? columns : tabColumns(tab, table, headers, mark, theirs);
}

interface OwnColumnsOf {
  readonly tab: Tab;
  readonly table: SheetTable;
  /** Texts of the first row. */
  readonly headers: readonly string[];
  /** What the tab is to be marked as. */
  readonly mark: string;
}

const isFilled = (value: unknown): boolean => value !== undefined && value !== null && value !== '';
