import type { ChunkPlan, PlacedRow, PlannedRow } from './chunk-plan.ts';
import { CHUNK_KEY, derivedId, spreadsheetEntry } from './metadata.ts';
import type { Place, RowBook } from './row-book.ts';
import { cellValue } from './rows.ts';
import {
  type CellValue,
  type ColumnSource,
  metadata,
  metadataGone,
  rowsGone,
  rowsInserted,
  type SheetColumn,
  type SheetRequest,
} from './sheet-requests.ts';
import { writtenRows } from './tab-columns.ts';
import { type ChunkMark, markText, type Workbook } from './workbook.ts';

/** Marks of a sync that stay: of the chunks that may be unconfirmed, and some more. */
const MARKS = 6;

type RowPlan = Pick<ChunkPlan, 'overwritten' | 'inserted' | 'removed'>;

/** Requests that write a part of a chunk, all or none. Rows go last, so that the numbers of the others hold. */
export function rowRequests({ overwritten, inserted, removed }: RowPlan, book: RowBook, today: string) {
  const requests: SheetRequest[] = [];
  const touched = new Set([...inserted.keys(), ...overwritten.map(({ place }) => place.sheetId)]);
  for (const sheetId of touched) {
    const { columns, isNew } = book.tab(sheetId);
    if (isNew) requests.push(...columns.setup);
  }
  requests.push(...overwrites(overwritten, book, today));
  for (const [sheetId, rows] of inserted) {
    const { columns, lastRow, rowCount } = book.tab(sheetId);
    const first = lastRow + 1;
    requests.push(
      rowsInserted(sheetId, first, rows.length, Math.max(rowCount, columns.rowCount)),
      ...writtenRows(
        sheetId,
        first,
        columns.placed,
        rows.map((row) => () => cellsOf(row, today)),
      ),
    );
  }
  for (const [sheetId, rows] of bySheet(removed.values())) requests.push(...rowsGone(sheetId, rows));
  return requests;
}

function overwrites(rows: readonly PlacedRow[], book: RowBook, today: string): readonly SheetRequest[] {
  const requests: SheetRequest[] = [];
  const sorted = rows.toSorted((a, b) => a.place.sheetId - b.place.sheetId || a.place.row - b.place.row);
  for (let at = 0; at < sorted.length; ) {
    const first = sorted[at];
    if (first === undefined) break;
    const { sheetId, row } = first.place;
    let end = at + 1;
    while (isNext(sorted[end], sheetId, row + end - at)) end++;
    const placed = book.tab(sheetId).columns.placed.filter(({ column }) => column.updated);
    requests.push(
      ...writtenRows(
        sheetId,
        row,
        placed,
        sorted.slice(at, end).map((one) => () => cellsOf(one, today)),
      ),
    );
    at = end;
  }
  return requests;
}

const isNext = (row: PlacedRow | undefined, sheetId: number, number: number): boolean =>
  row?.place.sheetId === sheetId && row.place.row === number;

export function bySheet(places: Iterable<Place>): ReadonlyMap<number, readonly number[]> {
  const sheets = new Map<number, number[]>();
  for (const { sheetId, row } of places) {
    const rows = sheets.get(sheetId) ?? [];
    sheets.set(sheetId, rows);
    rows.push(row);
  }
  return sheets;
}

export function cellsOf(
  { values }: Pick<PlannedRow, 'values'>,
  today: string,
): (column: SheetColumn) => CellValue {
  const source: ColumnSource = { values: values(), today };
  return (column) => cellValue(column.form, column.value(source));
}

/**
 * Marks in the same batch that a part of a chunk is written, and forgets the oldest marks. The number of the entry
 * follows from the part, and Google takes no number twice: a copy of the batch that arrives late is refused whole.
 */
export function markRequests(
  { metadataIds }: Workbook,
  marks: readonly ChunkMark[],
  sync: string,
  chunk: string,
): { readonly requests: readonly SheetRequest[]; readonly marks: readonly ChunkMark[] } {
  const own = marks.filter((mark) => mark.sync === sync).toSorted((a, b) => a.sequence - b.sequence);
  const sequence = (own.at(-1)?.sequence ?? 0) + 1;
  const metadataId = derivedId(`${sync} ${chunk}`, (id) => metadataIds.has(id));
  const mark = { metadataId, sync, sequence, chunk };
  const old = own.slice(0, Math.max(0, own.length + 1 - MARKS));
  return {
    requests: [
      metadata({ ...spreadsheetEntry(CHUNK_KEY, markText(mark)), metadataId }),
      ...old.map((one) => metadataGone(one.metadataId)),
    ],
    marks: [...own.filter((one) => !old.includes(one)), mark],
  };
}
