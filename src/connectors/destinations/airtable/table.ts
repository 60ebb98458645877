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

/** A table as it is used: where it stands, its columns, and the one that rows are recognised by. */
export interface OpenTable {
  readonly place: TablePlace;
  readonly columns: readonly TableColumn[];
  readonly idColumn: string;
}

interface AirtableTableOptions {
  readonly api: AirtableApi;
  readonly cache: ColumnCache;
  /** Of the cache: the base and what is written. */
  readonly name: string;
  readonly base: string;
  readonly specs: readonly ColumnSpec[];
  readonly idKey: string;
  /** Which of the tables of the base it is; makes it where it may. Raises DestinationFailure. */
  readonly locate: (by: AirtableAccess, tables: readonly Table[]) => Promise<Table>;
}

/** Rows as they are about to be written, in the order of the columns. */
type Values = readonly (readonly FieldValue[])[];

/** One table in one run, with its columns. Raises DestinationFailure. */
export class AirtableTable {
  readonly #options: AirtableTableOptions;
  #reloaded = false;

  constructor(options: AirtableTableOptions) {
    this.#options = options;
  }

  /**
   * What `work` makes of the table. Where Airtable knows one of the columns no more or shows something else in it than
   * was sent, as after a person removed it or gave it another type, the columns are asked for and made once more, and
   * `work` is done once more.
   */
  async use<T>(by: AirtableAccess, rows: Values, work: (table: OpenTable) => Promise<T>): Promise<T> {
    for (;;) {
      const table = await this.#open(by, rows);
      try {
        return await work(table);
      } catch (error) {
        if (!isOutdated(error)) throw error;
        if (this.forgetOnce()) continue;
        // The next run may find the columns repaired.
        this.forget();
        throw error;
      }
    }
  }

  /** Forgets its columns, which Airtable may have changed; false where that was done in this run already. */
  forgetOnce(): boolean {
    if (this.#reloaded) return false;
    this.#reloaded = true;
    this.forget();
    return true;
  }

  /** Forgets where it stands and what its columns are. */
  forget(): void {
    this.#options.cache.forget(this.#options.name);
  }

  /** The records that show one of these texts in the column of ids, or have one of these ids; oldest first. */
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

/** Whether the columns are others than those remembered. */
function isOutdated(error: unknown): boolean {
  return error instanceof ChangedCell || (error instanceof VendorRefusal && GONE_COLUMNS.has(error.word));
}

export interface FoundRecord extends StoredRecord {
  /** What it shows in the column of ids. */
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
