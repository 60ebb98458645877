import type { TablePlace } from './client.ts';
import type { TableColumn } from './table-columns.ts';

/** Tables whose columns are remembered; about 2 kB each. */
const MOST_TABLES = 1_000;

interface KnownTable {
  readonly place: TablePlace;
  readonly columns: readonly TableColumn[];
}

/**
 * Columns of tables by what is written there, so that most runs need not ask for them. They are forgotten when Airtable
 * knows one of them no more, refuses a row, or shows something else in one than it was sent.
 */
export class ColumnCache {
  readonly #tables = new Map<string, KnownTable>();

  get(name: string): KnownTable | null {
    return this.#tables.get(name) ?? null;
  }

  set(name: string, table: KnownTable): void {
    this.forget(name);
    this.#tables.set(name, table);
    const [oldest] = this.#tables.keys();
    if (this.#tables.size > MOST_TABLES && oldest !== undefined) this.#tables.delete(oldest);
  }

  forget(name: string): void {
    this.#tables.delete(name);
  }
}
