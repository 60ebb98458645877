import { DestinationFailure } from '../destination-failure.ts';
import { VendorRefusal } from '../kit/failures.ts';
import type { FieldValue } from '../row-values.ts';
import type { AirtableAccess, AirtableApi, StoredRecord, Table, TablePlace } from './client.ts';
import type { ColumnSpec } from './columns.ts';
import { GONE_COLUMNS } from './failures.ts';
import {
  ChangedCell,
  type ColumnCache,
  ensureColumns,
  oneOfRecords,
  oneOfTexts,
  type TableColumn,
} from './table-columns.ts';

/** A table in use: where it is, its columns, and the one that identifies rows. */
export interface OpenTable {
  readonly place: TablePlace;
  readonly columns: readonly TableColumn[];
  readonly idColumn: string;
}

interface AirtableTableOptions {
  readonly api: AirtableApi;
  readonly cache: ColumnCache;
  /** Key of the cache: the base and what is written. */
  readonly name: string;
  readonly base: string;
  readonly specs: readonly ColumnSpec[];
  readonly idKey: string;
  /** Finds the table in the base, or creates it if allowed. Raises DestinationFailure. */
  readonly locate: (by: AirtableAccess, tables: readonly Table[]) => Promise<Table>;
}

/** Rows that are about to be written, in the order of the columns. */
type Values = readonly (readonly FieldValue[])[];

/** One table in one run, with its columns. Raises DestinationFailure. */
export class AirtableTable {
  readonly #options: AirtableTableOptions;
  #reloaded = false;

  constructor(options: AirtableTableOptions) {
    this.#options = options;
  }

  /**
   * Runs `work` on the table. If Airtable no longer knows one of the columns or shows something else in it than was
   * sent, as after a person removed it or changed its type, the columns are requested and created again, and `work` is
   * run again.
   */
  async use<T>(by: AirtableAccess, rows: Values, work: (table: OpenTable) => Promise<T>): Promise<T> {
    for (;;) {
      const table = await this.#open(by, rows);
      try {
        return await work(table);
      } catch (error) {
        if (!isOutdated(error)) throw error;
        if (this.forgetOnce()) continue;
        // The columns may be repaired by the next run.
        this.forget();
        throw error;
      }
    }
  }

  /** Drops its columns from the cache, as they may have changed; false if that was already done in this run. */
  forgetOnce(): boolean {
    if (this.#reloaded) return false;
    this.#reloaded = true;
    this.forget();
    return true;
  }

  /** Drops where it is and its columns from the cache. */
  forget(): void {
    this.#options.cache.forget(this.#options.name);
  }

  /** The records with one of these texts in the column of ids, or one of these record ids; oldest first. */
  find(
    by: AirtableAccess,
    wanted: { readonly texts: readonly string[]; readonly records: readonly string[] },
    shown: 'everything' | 'ids',
  ): Promise<readonly FoundRecord[]> {
    const { api } = this.#options;
    return this.use(by, [], async ({ place, columns, idColumn }) => {
      const parts = [
        ...(wanted.texts.length === 0 ? [] : [oneOfTexts(idColumn, wanted.texts)]),
        ...(wanted.records.length === 0 ? [] : [oneOfRecords(wanted.records)]),
      ];
      if (parts.length === 0) return [];
      const fields = shown === 'ids' ? [idColumn] : columns.map(({ id }) => id);
      const found = await api.list(by, place, { formula: `OR(${parts.join(',')})`, fields });
      return found.map((record) => ({ ...record, text: textOf(record, idColumn) }));
    });
  }

  async #open(by: AirtableAccess, rows: Values): Promise<OpenTable> {
    const { api, cache, name, base, specs, idKey, locate } = this.#options;
    let known = cache.get(name);
    if (known === null) {
      const table = await locate(by, await api.tables(by, base));
      const place = { base, table: table.id };
      known = { place, columns: await ensureColumns(api, by, place, table, specs, rows) };
      cache.set(name, known);
    }
    const { place, columns } = known;
    const idColumn = columns.find(({ spec }) => spec.key === idKey)?.id;
    if (idColumn === undefined) throw new TypeError('the column of ids is not among the columns');
    return { place, columns, idColumn };
  }
}

/** Whether the columns differ from the cached ones. */
function isOutdated(error: unknown): boolean {
  return error instanceof ChangedCell || (error instanceof VendorRefusal && GONE_COLUMNS.has(error.word));
}

export interface FoundRecord extends StoredRecord {
  /** Its value in the column of ids. */
  readonly text: string;
}

export function textOf({ fields }: StoredRecord, column: string): string {
  const text = fields[column];
  return typeof text === 'string' ? text : '';
}

/** The table is not in the base. */
export function missingTable(): DestinationFailure {
  return new DestinationFailure(
    'destination_resource_missing',
    'The Airtable base no longer has the table of this destination: choose another target.',
    { outcome: 'refused', retryable: false },
  );
}
