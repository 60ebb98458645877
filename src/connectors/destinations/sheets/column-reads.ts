import type { CellRange, GoogleApi } from './client.ts';
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

/** A column that is to be read below its header. */
export interface WantedColumn {
  readonly sheetId: number;
  readonly at: number;
  readonly rowCount: number;
}

interface ColumnsRead {
  /** Texts of the first row, by tab. */
  readonly headers: ReadonlyMap<number, readonly string[]>;
  /** Values below the header, by tab; blank ones at the end are left out. */
  readonly columns: ReadonlyMap<number, readonly unknown[]>;
}

/** Cells of one answer: well below what an answer may hold, in values and in bytes. */
const CELLS = 100_000;

/** Reads first rows and one column for each tab: in one call, unless the tabs are very long. */
export async function columnsRead(
  api: GoogleApi,
  spreadsheet: string,
  wanted: { readonly headersOf: readonly Tab[]; readonly columns: readonly WantedColumn[] },
  signal: AbortSignal,
): Promise<ColumnsRead> {
  const headers = new Map<number, readonly string[]>();
  const columns = new Map<number, unknown[]>();
  const parts = [...wanted.headersOf.flatMap(headerRange), ...wanted.columns.flatMap(columnRanges)];
  for (const call of packed(parts)) {
    const found = await api.values(spreadsheet, call, signal);
    for (const [index, range] of call.entries()) {
      const values = found[index] ?? [];
      if (range.startRowIndex === 0)
        headers.set(
          range.sheetId,
          values.map(([first]) => textOf(first)),
        );
      else put(columns, range, values[0] ?? []);
    }
  }
  return { headers, columns };
}

function headerRange({ sheetId, columnCount, rowCount }: Tab): readonly CellRange[] {
  if (columnCount === 0 || rowCount === 0) return [];
  return [{ sheetId, startRowIndex: 0, endRowIndex: 1, startColumnIndex: 0, endColumnIndex: columnCount }];
}

function columnRanges({ sheetId, at, rowCount }: WantedColumn): readonly CellRange[] {
  const ranges: CellRange[] = [];
  for (let start = 1; start < rowCount; start += CELLS) {
    const endRowIndex = Math.min(rowCount, start + CELLS);
    ranges.push({ sheetId, startRowIndex: start, endRowIndex, startColumnIndex: at, endColumnIndex: at + 1 });
  }
  return ranges;
}

function packed(ranges: readonly CellRange[]): readonly (readonly CellRange[])[] {
  const calls: CellRange[][] = [];
  let left = 0;
  for (const range of ranges) {
    const size = range.startRowIndex === 0 ? range.endColumnIndex : range.endRowIndex - range.startRowIndex;
    if (calls.length === 0 || size > left) {
      calls.push([]);
      left = CELLS;
    }
    calls.at(-1)?.push(range);
    left -= size;
  }
  return calls;
}

function put(
  columns: Map<number, unknown[]>,
  { sheetId, startRowIndex }: CellRange,
  values: readonly unknown[],
): void {
  const column = columns.get(sheetId) ?? [];
  columns.set(sheetId, column);
  for (const [index, value] of values.entries()) column[startRowIndex - 1 + index] = value;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : String(value ?? ''));
