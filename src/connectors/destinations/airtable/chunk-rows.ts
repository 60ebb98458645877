import { decodeValues } from '../kit/encoded-row.ts';
import type { ChunkRow, OutgoingChunk, StoodAs, WrittenChunk } from '../outgoing-chunk.ts';
import type { FieldValue } from '../row-values.ts';
import type { FoundRecord } from './airtable-table.ts';
import { cellsOf, shows } from './cells.ts';
import type { PutOutcome, PutRow } from './record-batches.ts';
import type { TableColumn } from './table-columns.ts';

/**
 * Airtable gives the time of a record in whole seconds, cut off, and its clock is not ours. A record that is younger
 * than this before the chunk may have been made by an earlier attempt of the chunk.
 */
const CLOCKS_MS = 5_000;

interface Row {
  readonly row: ChunkRow;
  readonly values: readonly FieldValue[];
}

/** The rows of one chunk on their way into a table, and what became of them. */
export class ChunkRows {
  /** With distinct ids: a call that named one twice would be refused. */
  readonly added: readonly Row[];
  readonly #updated: readonly Row[];
  readonly #removed: readonly ChunkRow[];
  readonly #created: number;
  /** What stands there of the ids that were looked for, oldest first. */
  #found: ReadonlyMap<string, readonly FoundRecord[]> = new Map();
  readonly #same = new Set<string>();
  readonly #remoteRefs = new Map<string, string>();
  readonly #stood = new Map<string, StoodAs>();
  readonly #rejected: string[] = [];
  /** Whether added rows stood there before the chunk was first tried. */
  hasOlder = false;

  constructor({ added, updated, removed, created }: OutgoingChunk) {
    this.added = distinct(added);
    this.#updated = distinct(updated);
    this.#removed = removed;
    this.#created = created;
  }

  /**
   * Ids whose records have to be known before anything is written. @param looks whether added rows are looked for
   */
  toFind(looks: boolean): readonly string[] {
    const added = looks ? this.added.map(({ row }) => row.id) : [];
    const replacing = this.#updated.flatMap(({ row: { id, replaces, remoteRef } }) =>
      replaces === null || remoteRef !== null ? [] : [id, replaces],
    );
    const removed = this.#removed.filter(({ remoteRef }) => remoteRef === null).map(({ id }) => id);
    return [...new Set([...added, ...replacing, ...removed])];
  }

  /** Takes what stands there. */
  stand(found: readonly FoundRecord[], columns: readonly TableColumn[], looks: boolean): void {
    this.#found = Map.groupBy(found, ({ text }) => text);
    if (!looks) return;
    for (const { row, values } of this.added) {
      const record = this.#standing(row.id);
      if (record === undefined) continue;
      const cells = cellsOf(columns, values);
      const isSame = cells !== null && shows(record.fields, cells);
      if (isSame) {
        this.#same.add(row.id);
        this.#remoteRefs.set(row.id, record.id);
      }
      this.#noteOlder(row.id, record.createdTime, isSame ? 'same' : 'updated');
    }
  }

  toPut(): readonly PutRow[] {
    const added = this.added.filter(({ row }) => !this.#same.has(row.id));
    return [
      ...added.map(({ row: { id }, values }): PutRow => {
        return { id, values, record: this.#standing(id)?.id ?? null, ifRemoved: 'make' };
      }),
      ...this.#updated.map(({ row, values }) => this.#update(row, values)),
    ];
  }

  /**
   * A row that a person has removed stays removed. A posted row whose pending one was removed is another row, which
   * nobody has removed.
   */
  #update({ id, replaces, remoteRef }: ChunkRow, values: readonly FieldValue[]): PutRow {
    if (replaces === null) return { id, values, record: remoteRef, ifRemoved: 'leave' };
    const record = remoteRef ?? this.#standing(id)?.id ?? this.#standing(replaces)?.id ?? null;
    return { id, values, record, ifRemoved: 'make' };
  }

  take({ records, rejected }: PutOutcome): void {
    this.#rejected.push(...rejected);
    for (const id of rejected) this.#stood.delete(id);
    for (const [id, { record }] of records) this.#remoteRefs.set(id, record);
    for (const { row } of this.added) {
      const put = records.get(row.id);
      if (put?.stood === true) this.#noteOlder(row.id, put.createdTime, 'updated');
    }
  }

  /** Records of removed rows, and of pending rows that stand there besides the posted one. */
  toRemove(): readonly string[] {
    const removed = this.#removed.flatMap(({ id, remoteRef }) =>
      remoteRef === null ? this.#allStanding(id) : [remoteRef],
    );
    const replaced = this.#updated.flatMap(({ row: { id, replaces, remoteRef } }) =>
      replaces === null || remoteRef !== null || this.#standing(id) === undefined
        ? []
        : this.#allStanding(replaces),
    );
    return [...new Set([...removed, ...replaced])];
  }

  written(): WrittenChunk {
    return { rejected: this.#rejected, remoteRefs: this.#remoteRefs, stood: this.#stood };
  }

  #standing(id: string): FoundRecord | undefined {
    return this.#found.get(id)?.[0];
  }

  #allStanding(id: string): readonly string[] {
    return (this.#found.get(id) ?? []).map((record) => record.id);
  }

  #noteOlder(id: string, createdTime: string, as: StoodAs): void {
    if (!(Date.parse(createdTime) < this.#created - CLOCKS_MS)) return;
    this.hasOlder = true;
    this.#stood.set(id, as);
  }
}

function distinct(rows: readonly ChunkRow[]): readonly Row[] {
  const byId = new Map<string, Row>();
  for (const row of rows) {
    if (row.text === null) throw new TypeError('a row to be written has no text');
    byId.set(row.id, { row, values: decodeValues(row.text) });
  }
  return [...byId.values()];
}
