import type { BalanceSnapshot } from '../delivery-rows.ts';
import { DestinationFailure } from '../destination-failure.ts';
import type { AirtableAccess, AirtableApi, Table } from './client.ts';
import { BALANCE_COLUMNS, BALANCE_ID_COLUMN, balanceValues, newField } from './columns.ts';
import { type PutRow, RecordBatches } from './record-batches.ts';
import { AirtableTable } from './table.ts';
import { type ColumnCache, freeName } from './table-columns.ts';

/** What marks the table, whatever a person calls it. */
const MARK = 'Filled by Tributary: balances';
const NAME = 'Balances';
/** Digits after the point: the most that a currency has. */
const DIGITS = 3;

/**
 * The table of balances of a base, with one record for each account. Balances are collected and written ten at a time:
 * a call for each would be a tenth of a small plan's month.
 */
export class Balances {
  readonly #api: AirtableApi;
  readonly #table: AirtableTable;
  readonly #waiting = new Map<string, BalanceSnapshot>();

  constructor(api: AirtableApi, cache: ColumnCache, base: string) {
    this.#api = api;
    this.#table = new AirtableTable({
      api,
      cache,
      name: `${base} balances`,
      base,
      specs: BALANCE_COLUMNS,
      idKey: BALANCE_ID_COLUMN,
      locate: (by, tables) => this.#locate(by, base, tables),
    });
  }

  add(snapshot: BalanceSnapshot): void {
    this.#waiting.set(snapshot.account.id, snapshot);
  }

  /** Writes what was added. A balance that Airtable refuses stays as it was. Raises DestinationFailure. */
  async write(by: AirtableAccess): Promise<void> {
    if (this.#waiting.size === 0) return;
    const rows = [...this.#waiting.values()].map((snapshot): PutRow => {
      const values = balanceValues(snapshot);
      const id = values.at(-1) ?? '';
      return { id, text: id, values, record: null, ifRemoved: 'make', keepsText: false };
    });
    try {
      await this.#put(by, rows);
    } catch (error) {
      // A person has removed the table since it was last used.
      if (!(error instanceof DestinationFailure) || error.code !== 'destination_resource_missing')
        throw error;
      this.#table.forget();
      await this.#put(by, rows);
    }
    this.#waiting.clear();
  }

  async #put(by: AirtableAccess, rows: readonly PutRow[]): Promise<void> {
    await new RecordBatches(this.#api, this.#table).put(by, rows);
  }

  async #locate(by: AirtableAccess, base: string, tables: readonly Table[]): Promise<Table> {
    const found = tables.find(({ description }) => description === MARK);
    if (found !== undefined) return found;
    const fields = BALANCE_COLUMNS.map((spec) => newField(spec, DIGITS));
    return this.#api.createTable(by, base, { name: freeName(NAME, tables), description: MARK, fields });
  }
}
