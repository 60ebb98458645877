import type { ChunkRow, OutgoingChunk } from '../outgoing-chunk.ts';
import type { FieldValue } from '../row-values.ts';
import type { Place, RowBook } from './row-book.ts';

/** Rows of a chunk, or of a part of one. */
export type ChunkPart = Pick<OutgoingChunk, 'added' | 'updated' | 'removed'>;

/** A row as it is to be written. */
export interface PlannedRow {
  readonly id: string;
  /** Its values by field, read from its text each time: those of a whole chunk take several times the memory of its text. */
  readonly values: () => Readonly<Record<string, FieldValue>>;
}

export interface PlacedRow extends PlannedRow {
  readonly place: Place;
  /** The id that stands in the row now. */
  readonly was: string;
}

/** What is to be done in the spreadsheet so that it shows the part. */
export interface ChunkPlan {
  /** To be written over rows that stand. */
  readonly overwritten: readonly PlacedRow[];
  /** New ones of the source that stand already and may show the same. */
  readonly standing: readonly PlacedRow[];
  /** By the tab they go to. */
  readonly inserted: ReadonlyMap<number, readonly PlannedRow[]>;
  /** By id, which rows go: removed ones, and those that move to another tab. */
  readonly removed: ReadonlyMap<string, Place>;
  /** New ones of the source that stood in the tab of another account. */
  readonly moved: ReadonlySet<string>;
}

/** Raises `destination_resource_missing` where a tab is gone. */
export function planOf({ added, updated, removed }: ChunkPart, book: RowBook): ChunkPlan {
  const overwritten: PlacedRow[] = [];
  const standing: PlacedRow[] = [];
  const inserted = new Map<number, PlannedRow[]>();
  const going = new Map<string, Place>();
  const moved = new Set<string>();
  const insert = (sheetId: number, row: PlannedRow): void => {
    const rows = inserted.get(sheetId) ?? [];
    inserted.set(sheetId, rows);
    rows.push(row);
  };
  for (const row of added) {
    const planned = plannedRow(row, book);
    const { sheetId } = book.tabFor(row.account).tab;
    const place = book.place(row.id);
    if (place?.sheetId === sheetId) {
      standing.push({ ...planned, place, was: row.id });
      continue;
    }
    insert(sheetId, planned);
    if (place === null) continue;
    going.set(row.id, place);
    moved.add(row.id);
  }
  for (const row of updated) {
    const planned = plannedRow(row, book);
    const { sheetId } = book.tabFor(row.account).tab;
    const before = row.replaces === null ? null : book.place(row.replaces);
    const own = book.place(row.id);
    // An earlier attempt may have written the posted row and left the pending one.
    if (row.replaces !== null && before !== null && own !== null) going.set(row.replaces, before);
    const place = own ?? before;
    if (place === null) {
      // Known to have been written and not there: a person deleted it, and it stays deleted.
      if (row.remoteRef === null) insert(sheetId, planned);
    } else if (place.sheetId === sheetId) {
      overwritten.push({ ...planned, place, was: own === null ? (row.replaces ?? row.id) : row.id });
    } else {
      insert(sheetId, planned);
      going.set(own === null ? (row.replaces ?? row.id) : row.id, place);
    }
  }
  for (const { id } of removed) {
    const place = book.place(id);
    if (place !== null) going.set(id, place);
  }
  return { overwritten, standing, inserted, removed: going, moved };
}

function plannedRow({ id, text }: ChunkRow, book: RowBook): PlannedRow {
  if (text === null) throw new TypeError('a row that is not removed has a text');
  return { id, values: () => book.text.valuesOf(text) };
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
