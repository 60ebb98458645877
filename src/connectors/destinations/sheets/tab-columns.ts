import type { CellRange, GoogleApi } from './client.ts';
import { numberFormat } from './rows.ts';
import {
  type CellRow,
  cells,
  columnFormat,
  columnsInserted,
  metadata,
  moreOf,
  type SheetColumn,
  type SheetRequest,
  WrittenCells,
} from './sheet-requests.ts';
import { neededColumns, normal, type SheetTable, tagOf } from './sheet-tables.ts';
import { columnEntry, type Tab, tabEntry } from './workbook.ts';

interface PlacedColumn {
  readonly column: SheetColumn;
  readonly at: number;
}

/** Where the columns of a table are in a tab, and the requests needed first. */
export interface TabColumns {
  readonly table: SheetTable;
  /** By index: every column of the table that the tab has, or will have once `setup` is applied. */
  readonly placed: readonly PlacedColumn[];
  readonly key: number;
  /** Whether the key column is already in the tab. */
  readonly hasKey: boolean;
  /** Columns that `setup` adds. */
  readonly added: readonly SheetColumn[];
  /** For a tab that has rows of ours: columns without a mark that are to be written because of their header. */
  readonly unsure: readonly number[];
  readonly setup: readonly SheetRequest[];
  /** The tab's extent after `setup`. */
  readonly rowCount: number;
  readonly columnCount: number;
}

const NONE: ReadonlySet<number> = new Set();

type Extent = Pick<Tab, 'sheetId' | 'rowCount' | 'columnCount' | 'frozenRows' | 'tags' | 'marks'>;

/**
 * Columns are found by our mark, so that people may move and rename them; else by their header; and missing ones that
 * are needed are added to the right of those, in the order of the table. In a tab whose first row is blank the table
 * begins at its first column. Columns that we filled before, for fields that are no longer shown, are left as they are.
 *
 * @param headers texts of the first row
 * @param mark what the tab should be marked as
 * @param theirs columns that are a person's own, whatever their header is
 */
function tabColumns(
  tab: Extent,
  table: SheetTable,
  headers: readonly string[],
  mark: string,
  theirs: ReadonlySet<number> = NONE,
): TabColumns {
  const { sheetId, tags } = tab;
  const taken = new Set<number>();
  const placed: PlacedColumn[] = [];
  const place = (column: SheetColumn, at: number | undefined): boolean => {
    if (at === undefined || taken.has(at)) return false;
    taken.add(at);
    placed.push({ column, at });
    return true;
  };
  const unmarked = table.columns.filter((column) => !place(column, tags.get(tagOf(table, column.name))));
  const filled = filledBefore(tab, table);
  const named = new Map<string, number>();
  for (const [at, header] of headers.entries()) {
    const isFree = header.trim() !== '' && !taken.has(at) && !filled.has(at) && !theirs.has(at);
    if (isFree && !named.has(normal(header))) named.set(normal(header), at);
  }
  const marked = new Set(placed);
  const missing = unmarked.filter((column) => !place(column, named.get(normal(column.header))));
  const byHeader = placed.filter((one) => !marked.has(one));
  const found = new Set(placed.map(({ column }) => column));
  const added = neededColumns({ ...table, columns: missing });
  const last = headers.findLastIndex((header) => header.trim() !== '');
  const start = Math.max(last + 1, ...[...taken, ...filled].map((at) => at + 1), 0);
  for (const [index, column] of added.entries()) placed.push({ column, at: start + index });
  placed.sort((a, b) => a.at - b.at);
  // If there are rows, a blank header does not mean that the column is blank.
  const isOurs = isMarked(tab, table) && start < tab.columnCount;
  const columnCount = isOurs
    ? tab.columnCount + added.length
    : Math.max(tab.columnCount, start + added.length);
  // Always one row below the header: a tab may not consist only of frozen rows, and new rows take their formats from
  // it.
  const rowCount = Math.max(tab.rowCount, 2);
  const setup: SheetRequest[] = [];
  if (columnCount > tab.columnCount) {
    const more = columnCount - tab.columnCount;
    setup.push(isOurs ? columnsInserted(sheetId, start, more) : moreOf(sheetId, 'COLUMNS', more));
  }
  if (rowCount > tab.rowCount) setup.push(moreOf(sheetId, 'ROWS', rowCount - tab.rowCount));
  if (added.length > 0) setup.push(cells(sheetId, 0, start, [added.map(({ header }) => header)]));
  if (last === -1 && tab.frozenRows === 0) setup.push(frozenHeader(sheetId));
  for (const { column, at } of placed) {
    const isTagged = tags.get(tagOf(table, column.name)) === at;
    if (!isTagged) setup.push(...columnSetup(sheetId, table, column, at, !found.has(column)));
  }
  if (!tab.marks.has(mark)) setup.push(metadata(tabEntry(sheetId, mark)));
  const key = placed.find(({ column }) => column.name === table.key);
  if (key === undefined) throw new TypeError('the key of a table is among the columns that it needs');
  const hasKey = found.has(key.column);
  const unsure = isMarked(tab, table)
    ? byHeader.flatMap(({ column, at }) => (column.updated ? [at] : []))
    : [];
  return { table, placed, key: key.at, hasKey, added, unsure, setup, rowCount, columnCount };
}

/** Whether rows of the table were written there before. */
const isMarked = ({ tags }: Pick<Tab, 'tags'>, table: SheetTable): boolean =>
  tags.has(tagOf(table, table.key));

/** The indexes of columns with the table's mark that it no longer has. */
function filledBefore({ tags }: Extent, table: SheetTable): ReadonlySet<number> {
  const shown = new Set(table.columns.map(({ name }) => tagOf(table, name)));
  const left = [...tags].filter(([tag]) => tag.startsWith(tagOf(table, '')) && !shown.has(tag));
  return new Set(left.map(([, at]) => at));
}

function columnSetup(
  sheetId: number,
  table: SheetTable,
  column: SheetColumn,
  at: number,
  isNew: boolean,
): readonly SheetRequest[] {
  const format = isNew || table.formats ? numberFormat(column.form) : null;
  return [
    metadata(columnEntry(sheetId, at, tagOf(table, column.name))),
    ...(format === null ? [] : [columnFormat(sheetId, at, format)]),
    ...(isNew && column.hidden ? [hiddenColumn(sheetId, at)] : []),
  ];
}

function frozenHeader(sheetId: number): SheetRequest {
  return {
    updateSheetProperties: {
      properties: { sheetId, gridProperties: { frozenRowCount: 1 } },
      fields: 'gridProperties.frozenRowCount',
    },
  };
}

function hiddenColumn(sheetId: number, at: number): SheetRequest {
  return {
    updateDimensionProperties: {
      range: { sheetId, dimension: 'COLUMNS', startIndex: at, endIndex: at + 1 },
      properties: { hiddenByUser: true },
      fields: 'hiddenByUser',
    },
  };
}

/** A new tab with exactly the columns of its table, one blank row below the header, and what it is for. */
export function newTab(
  { sheetId, title }: { readonly sheetId: number; readonly title: string },
  table: SheetTable,
  mark: string,
): { readonly requests: readonly SheetRequest[]; readonly columns: TabColumns } {
  const columnCount = neededColumns(table).length;
  const properties = { sheetId, title, gridProperties: { rowCount: 2, columnCount, frozenRowCount: 1 } };
  const blank = {
    sheetId,
    rowCount: 2,
    columnCount,
    frozenRows: 1,
    tags: new Map(),
    marks: new Set<string>(),
  };
  const columns = tabColumns(blank, table, [], mark);
  return { requests: [{ addSheet: { properties } }, ...columns.setup], columns };
}

/**
 * Writes rows from `rowIndex` down. Columns of a person between ours are left alone.
 *
 * @param rows builds the cells of each row, called when the request becomes text
 */
export function writtenRows(
  sheetId: number,
  rowIndex: number,
  columns: readonly PlacedColumn[],
  rows: readonly (() => (column: SheetColumn) => CellRow[number])[],
): readonly SheetRequest[] {
  return neighbours(columns).map(
    (group) =>
      new WrittenCells(
        sheetId,
        rowIndex,
        group[0]?.at ?? 0,
        rows.map((cellsOf) => () => {
          const cellOf = cellsOf();
          return group.map(({ column }) => cellOf(column));
        }),
      ),
  );
}

function neighbours(columns: readonly PlacedColumn[]): readonly (readonly PlacedColumn[])[] {
  const groups: PlacedColumn[][] = [];
  for (const column of columns) {
    const last = groups.at(-1);
    if (last !== undefined && last.at(-1)?.at === column.at - 1) last.push(column);
    else groups.push([column]);
  }
  return groups;
}

/**
 * Like `tabColumns`, but a column identified only by its header is left to the person if rows of ours have something in
 * it: no mark says that we wrote it. Calls Google only if there is such a column.
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
  /** What the tab should be marked as. */
  readonly mark: string;
}

const isFilled = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** A column to read below its header. */
export interface WantedColumn {
  readonly sheetId: number;
  readonly at: number;
  readonly rowCount: number;
}

interface ColumnsRead {
  /** Texts of the first row, by tab. */
  readonly headers: ReadonlyMap<number, readonly string[]>;
  /** Values below the header, by tab, without trailing blanks. */
  readonly columns: ReadonlyMap<number, readonly unknown[]>;
}

/** Cells per answer: well below the limits of an answer in values and bytes. */
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
