import type { RowId } from '../../../vocabulary/ids.ts';
import { qualifiedId, type RowIds } from '../kit/shared-ids.ts';
import type { ChunkRow, OutgoingChunk } from '../outgoing-chunk.ts';
import type { FieldValue } from '../row-values.ts';
import type { Place, RowBook } from './row-book.ts';

/** Rows of a chunk, or of a part of one. */
export type ChunkPart = Pick<OutgoingChunk, 'added' | 'updated' | 'removed'>;

/** A row as it is to be written. */
export interface PlannedRow {
  /** The source id. */
  readonly id: string;
  /** What is in the column of ids. */
  readonly text: string;
  /** Its values by field, read from its text each time: those of a whole chunk take several times the memory of its text. */
  readonly values: () => Readonly<Record<string, FieldValue>>;
}

export interface PlacedRow extends PlannedRow {
  readonly place: Place;
  /** The id that is in the row now. */
  readonly was: string;
}

/** What is to be done in the spreadsheet so that it shows the part. */
export interface ChunkPlan {
  /** To be written over rows that stand. */
  readonly overwritten: readonly PlacedRow[];
  /** New ones of the source that stand already and may show the same. */
  readonly existing: readonly PlacedRow[];
  /** By the tab they go to. */
  readonly inserted: ReadonlyMap<number, readonly PlannedRow[]>;
  /** By what is in the column of ids, which rows go: removed ones, and those that move to another tab. */
  readonly removed: ReadonlyMap<string, Place>;
  /** What is in the column of ids of rows that are to be gone: removed ones, and those that others replace. */
  readonly gone: ReadonlySet<string>;
  /** New ones of the source that was in the tab of another account. */
  readonly moved: ReadonlySet<string>;
}

/** Raises `destination_resource_missing` where a tab is gone. */
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
      // Known to have been written and not there: a person deleted it, and it stays deleted. Where an earlier version
      // wrote another account's row over it, it comes back.
      const isOverwritten = ids.others(row).length > 0 && book.place(row.id) !== null;
      if (row.remoteRef === null || isOverwritten) insert(sheetId, planned);
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

/** Where a row stands, what is there in the column of ids, and what is to. */
type ExistingRow = Pick<PlacedRow, 'place' | 'was' | 'text'>;

function plannedRow({ id, text: encoded }: ChunkRow, text: string, book: RowBook): PlannedRow {
  if (encoded === null) throw new TypeError('a row that is not removed has a text');
  return { id, text, values: () => ({ ...book.text.valuesOf(encoded), [book.text.key]: text }) };
}

/** Two parts of about the same size; one that has a single row has no halves. */
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

/** Whether rows are addressed by their number, which holds only as long as nobody inserts, sorts or deletes. */
export function usesRowNumbers({ overwritten, removed }: ChunkPlan): boolean {
  return overwritten.length > 0 || removed.size > 0;
}
