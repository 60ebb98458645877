import type { RowId } from '../../../vocabulary/ids.ts';
import type { ChunkRow, OutgoingChunk } from '../delivery-rows.ts';
import { qualifiedId, type RowIds } from '../kit/shared-ids.ts';
import type { FieldValue } from '../row-values.ts';
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
import {
  CHUNK_KEY,
  type ChunkMark,
  derivedId,
  markText,
  spreadsheetEntry,
  type Workbook,
} from './workbook.ts';

/** Rows of a chunk, or of a part of one. */
export type ChunkPart = Pick<OutgoingChunk, 'added' | 'updated' | 'removed'>;

/** A row to write. */
interface PlannedRow {
  /** The source id. */
  readonly id: string;
  /** Its value in the column of ids. */
  readonly text: string;
  /**
   * Its values by field, parsed from its text each time: those of a whole chunk take several times the memory of its
   * text.
   */
  readonly values: () => Readonly<Record<string, FieldValue>>;
}

export interface PlacedRow extends PlannedRow {
  readonly place: Place;
  /** The id that is currently in the row. */
  readonly was: string;
}

/** What to do in the spreadsheet so that it shows the part. */
export interface ChunkPlan {
  /** To be written over existing rows. */
  readonly overwritten: readonly PlacedRow[];
  /** New rows of the source that already exist and may be unchanged. */
  readonly existing: readonly PlacedRow[];
  /** By the tab they go to. */
  readonly inserted: ReadonlyMap<number, readonly PlannedRow[]>;
  /** Rows to delete, by the value in the column of ids: removed ones, and those that move to another tab. */
  readonly removed: ReadonlyMap<string, Place>;
  /** The values in the column of ids of rows that should be gone: removed ones, and those that others replace. */
  readonly gone: ReadonlySet<string>;
  /** New rows of the source that were in the tab of another account. */
  readonly moved: ReadonlySet<string>;
}

/** Raises `destination_resource_missing` if a tab is gone. */
export function planOf({ added, updated, removed }: ChunkPart, book: RowBook, ids: RowIds): ChunkPlan {
  const overwritten: PlacedRow[] = [];
  const existing: PlacedRow[] = [];
  const inserted = new Map<number, PlannedRow[]>();
  const going = new Map<string, Place>();
  const gone = new Set<string>();
  const moved = new Set<string>();
  const insert = (sheetId: number, row: PlannedRow): void => {
    const rows = inserted.get(sheetId) ?? [];
    inserted.set(sheetId, rows);
    rows.push(row);
  };
  const find = (row: OwnedRow): ExistingRow | null => {
    const own = book.sheetFor(row.account);
    const isAt = ({ sheetId }: Place, rival: RowId<'account'>): boolean =>
      sheetId !== own && sheetId === book.sheetFor(rival);
    const one = ids.find(row, (text) => book.places(text), isAt);
    if (one === null) return null;
    const isPlain = book.places(row.id).includes(one.found);
    return { place: one.found, was: isPlain ? row.id : qualifiedId(row.account, row.id), text: one.text };
  };
  for (const row of added) {
    const { sheetId } = book.tabFor(row.account).tab;
    const one = find(row);
    const planned = plannedRow(row, one?.text ?? ids.fresh(row), book);
    if (one?.place.sheetId === sheetId) {
      existing.push({ ...planned, place: one.place, was: one.was });
      continue;
    }
    insert(sheetId, planned);
    if (one === null) continue;
    going.set(one.was, one.place);
    moved.add(row.id);
  }
  for (const row of updated) {
    const { sheetId } = book.tabFor(row.account).tab;
    const before = row.replaces === null ? null : find({ id: row.replaces, account: row.account });
    const own = find(row);
    if (before !== null) gone.add(before.was);
    // An earlier attempt may have written the posted row and left the pending one.
    if (before !== null && own !== null) going.set(before.was, before.place);
    const one = own ?? before;
    const planned = plannedRow(row, own?.text ?? ids.fresh(row), book);
    if (one === null) {
      // Known to have been written but missing: a person deleted it, and it stays deleted. Of two rows of which one is
      // left under the plain id, no one knows which was deleted.
      const isUncertain = ids.others(row).length > 0 && book.place(row.id) !== null;
      if (row.remoteRef === null || isUncertain) insert(sheetId, planned);
    } else if (one.place.sheetId === sheetId) {
      overwritten.push({ ...planned, place: one.place, was: one.was });
    } else {
      insert(sheetId, planned);
      going.set(one.was, one.place);
    }
  }
  for (const row of removed) {
    const one = find(row);
    if (one === null) continue;
    going.set(one.was, one.place);
    gone.add(one.was);
  }
  return { overwritten, existing, inserted, removed: going, gone, moved };
}

type OwnedRow = Pick<ChunkRow, 'id' | 'account'>;

/** Where a row is, and the current and the new value in the column of ids. */
type ExistingRow = Pick<PlacedRow, 'place' | 'was' | 'text'>;

function plannedRow({ id, text: encoded }: ChunkRow, text: string, book: RowBook): PlannedRow {
  if (encoded === null) throw new TypeError('a row that is not removed has a text');
  return { id, text, values: () => ({ ...book.text.valuesOf(encoded), [book.text.key]: text }) };
}

/** Two parts of about the same size; empty for a single row. */
export function halvesOf({ added, updated, removed }: ChunkPart): readonly [ChunkPart, ChunkPart] | null {
  const count = added.length + updated.length + removed.length;
  if (count < 2) return null;
  const half = Math.ceil(count / 2);
  const take = (from: number, to: number): ChunkPart => {
    const part = (rows: readonly ChunkRow[], offset: number) =>
      rows.slice(Math.max(0, from - offset), Math.max(0, to - offset));
    return {
      updated: part(updated, 0),
      removed: part(removed, updated.length),
      added: part(added, updated.length + removed.length),
    };
  };
  return [take(0, half), take(half, count)];
}

/** Whether rows are addressed by their number, which is only valid as long as no one inserts, sorts or deletes rows. */
export function usesRowNumbers({ overwritten, removed }: ChunkPlan): boolean {
  return overwritten.length > 0 || removed.size > 0;
}

/** How many marks of a sync are kept: of the chunks that may be unconfirmed, and some more. */
const MARKS = 6;

type RowPlan = Pick<ChunkPlan, 'overwritten' | 'inserted' | 'removed'>;

/**
 * Requests that write a part of a chunk, all or none. Rows are deleted last, so that the numbers of the others stay
 * valid.
 */
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
 * Records in the same batch that a part of a chunk is written, and deletes the oldest marks. The id of the entry is
 * derived from the part, and Google accepts no id twice: a copy of the batch that arrives late is refused as a whole.
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
