import type { ChunkRow, ExistedAs, OutgoingChunk, WrittenChunk } from '../delivery-rows.ts';
import type { FoundRow, RowIds } from '../kit/shared-ids.ts';
import { decodeValues, type FieldValue } from '../row-values.ts';
import type { PutOutcome, PutRow } from './record-batches.ts';
import type { FoundRecord } from './table.ts';
import { cellsOf, shows, type TableColumn } from './table-columns.ts';

/**
 * Airtable gives the time of a record in whole seconds, rounded down, by its own clock. A record created later than
 * this long before the chunk may have been created by an earlier attempt of the chunk.
 */
const CLOCKS_MS = 5_000;

interface Row {
  readonly row: ChunkRow;
  readonly values: readonly FieldValue[];
}

/** What the column of ids should show for each row, and its index among the columns. */
interface IdColumn {
  readonly at: number;
  readonly ids: RowIds;
}

/** The rows of one chunk that are written to a table, and their results. */
export class ChunkRows {
  readonly #ids: RowIds;
  readonly #idAt: number;
  /** With distinct ids: a call that contained one twice would be refused. */
  readonly added: readonly Row[];
  readonly #updated: readonly Row[];
  readonly #removed: readonly ChunkRow[];
  readonly #created: number;
  /** The existing records with the ids that were looked for, oldest first. */
  #found: ReadonlyMap<string, readonly FoundRecord[]> = new Map();
  readonly #same = new Set<string>();
  readonly #remoteRefs = new Map<string, string>();
  readonly #existed = new Map<string, ExistedAs>();
  readonly #rejected: string[] = [];
  /** Whether added rows were there before the chunk was first tried. */
  hasOlder = false;

  constructor({ added, updated, removed, created }: OutgoingChunk, { at, ids }: IdColumn) {
    this.#ids = ids;
    this.#idAt = at;
    this.added = distinct(added);
    this.#updated = distinct(updated);
    this.#removed = removed;
    this.#created = created;
  }

  /** Whether some of the added rows were delivered before, as in a resync. */
  get hasDelivered(): boolean {
    return this.added.some(({ row }) => row.remoteRef !== null);
  }

  /**
   * Ids whose records have to be known before anything is written. @param looks whether added rows with their plain id
   * are looked for
   */
  toFind(looks: boolean): readonly string[] {
    const added = this.added.filter(({ row }) => looks || this.#ids.others(row).length > 0);
    const updated = this.#updated.filter(({ row: { remoteRef } }) => remoteRef === null);
    const removed = this.#removed.filter(({ remoteRef }) => remoteRef === null);
    const rows = [...added, ...updated].map(({ row }) => row);
    const texts = [...rows, ...removed].flatMap((row) =>
      row.replaces === null
        ? this.#ids.texts(row)
        : [...this.#ids.texts(row), ...this.#ids.texts(replacedBy(row, row.replaces))],
    );
    return [...new Set(texts)];
  }

  /** Sets the records that exist. */
  stand(found: readonly FoundRecord[], columns: readonly TableColumn[], looks: boolean): void {
    this.#found = Map.groupBy(found, ({ text }) => text);
    for (const { row, values } of this.added) {
      if (!looks && this.#ids.others(row).length === 0) continue;
      const one = this.#existing(row);
      if (one === null) continue;
      const { found: record, text } = one;
      const cells = cellsOf(columns, this.#withId(values, text));
      const isSame = cells !== null && shows(record.fields, cells);
      if (isSame) {
        this.#same.add(row.id);
        this.#remoteRefs.set(row.id, record.id);
      }
      this.#noteOlder(row, record.createdTime, isSame ? 'same' : 'updated');
    }
  }

  toPut(): readonly PutRow[] {
    const added = this.added.filter(({ row }) => !this.#same.has(row.id));
    return [
      ...added.map(({ row, values }): PutRow => {
        const one = this.#existing(row);
        const text = one?.text ?? this.#ids.fresh(row);
        return this.#put(row, values, { text, record: one?.found.id ?? row.remoteRef, ifRemoved: 'make' });
      }),
      ...this.#updated.map(({ row, values }) => this.#update(row, values)),
    ];
  }

  /**
   * A row that a person has removed stays removed. A posted row whose pending one was removed is another row, which was
   * not removed.
   */
  #update(row: ChunkRow, values: readonly FieldValue[]): PutRow {
    const { replaces, remoteRef } = row;
    const ifRemoved = replaces === null ? 'leave' : 'make';
    if (remoteRef !== null) {
      const text = this.#ids.fresh(row);
      return {
        ...this.#put(row, values, { text, record: remoteRef, ifRemoved }),
        keepsText: replaces === null,
      };
    }
    const own = this.#existing(row);
    const before = replaces === null ? null : this.#existing(replacedBy(row, replaces));
    const text = own?.text ?? this.#ids.fresh(row);
    return this.#put(row, values, { text, record: (own ?? before)?.found.id ?? null, ifRemoved });
  }

  #put(
    { id }: ChunkRow,
    values: readonly FieldValue[],
    { text, ...where }: Pick<PutRow, 'text' | 'record' | 'ifRemoved'>,
  ): PutRow {
    return { id, text, values: this.#withId(values, text), ...where, keepsText: false };
  }

  #withId(values: readonly FieldValue[], text: string): readonly FieldValue[] {
    return values.with(this.#idAt, text);
  }

  take({ records, rejected }: PutOutcome): void {
    this.#rejected.push(...rejected);
    for (const id of rejected) this.#existed.delete(id);
    for (const [id, { record }] of records) this.#remoteRefs.set(id, record);
    for (const { row } of this.added) {
      const put = records.get(row.id);
      if (put?.existed === true) this.#noteOlder(row, put.createdTime, 'updated');
    }
  }

  /** Records of removed rows, and of pending rows that exist in addition to the posted one. */
  toRemove(): readonly string[] {
    const removed = this.#removed.flatMap((row) =>
      row.remoteRef === null ? this.#allExisting(row) : [row.remoteRef],
    );
    const replaced = this.#updated.flatMap(({ row }) => {
      const { replaces, remoteRef } = row;
      if (replaces === null || remoteRef !== null || this.#existing(row) === null) return [];
      return this.#allExisting(replacedBy(row, replaces));
    });
    return [...new Set([...removed, ...replaced])];
  }

  written(): WrittenChunk {
    return { rejected: this.#rejected, remoteRefs: this.#remoteRefs, existed: this.#existed };
  }

  #existing(row: Owned): FoundRow<FoundRecord> | null {
    return this.#ids.find(row, (text) => this.#found.get(text) ?? []);
  }

  /** Including copies that a person made. */
  #allExisting(row: Owned): readonly string[] {
    const one = this.#existing(row);
    if (one === null) return [];
    const all = this.#found.get(one.found.text) ?? [];
    return one.text === one.found.text ? all.map((record) => record.id) : [one.found.id];
  }

  /** A record that was in the ledger is older than the chunk, whatever its time. */
  #noteOlder({ id, remoteRef }: ChunkRow, createdTime: string, as: ExistedAs): void {
    if (remoteRef === null && !(Date.parse(createdTime) < this.#created - CLOCKS_MS)) return;
    this.hasOlder = true;
    this.#existed.set(id, as);
  }
}

type Owned = Pick<ChunkRow, 'id' | 'account'>;

const replacedBy = ({ account }: ChunkRow, id: string): Owned => ({ id, account });

function distinct(rows: readonly ChunkRow[]): readonly Row[] {
  const byId = new Map<string, Row>();
  for (const row of rows) {
    if (row.text === null) throw new TypeError('a row to be written has no text');
    byId.set(row.id, { row, values: decodeValues(row.text) });
  }
  return [...byId.values()];
}
