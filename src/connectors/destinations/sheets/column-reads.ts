import type { CellRange, GoogleApi } from './client.ts';
import type { Tab } from './workbook.ts';

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
