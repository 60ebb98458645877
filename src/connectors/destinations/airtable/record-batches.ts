import { DestinationFailure } from '../destination-failure.ts';
import { VendorRefusal } from '../kit/failures.ts';
import type { FieldValue } from '../row-values.ts';
import { type AirtableAccess, type AirtableApi, BATCH_RECORDS, type NewRecord } from './client.ts';
import { isAboutRows } from './failures.ts';
import { type AirtableTable, type OpenTable, textOf } from './table.ts';
import { type Cells, ChangedCell, cellsOf, changedColumn } from './table-columns.ts';

/** A row to write to the table. */
export interface PutRow {
  /** The source id. */
  readonly id: string;
  /** Its value in the column of ids. */
  readonly text: string;
  readonly values: readonly FieldValue[];
  /** The record to write it to; null: the one with its id, or a new one. */
  readonly record: string | null;
  /** What to do if a person has removed that record: it stays removed, or the row gets another. */
  readonly ifRemoved: 'leave' | 'make';
  /** Whether the record keeps its value in the column of ids. */
  readonly keepsText: boolean;
}

interface PutRecord {
  readonly record: string;
  readonly createdTime: string;
  /** Whether it already existed. */
  readonly existed: boolean;
}

export interface PutOutcome {
  /** By the id of the row; without rows that stay removed. */
  readonly records: Map<string, PutRecord>;
  readonly rejected: string[];
}

/** Once this many rows were refused and none accepted, the rest is not tried: the problem is not in the rows. */
const HOPELESS_ROWS = 20;

/** Writes rows to a table, and deletes records from it, ten at a time and one call after the other. */
export class RecordBatches {
  readonly #api: AirtableApi;
  readonly #table: AirtableTable;
  #taken = 0;
  #refused = 0;
  /** Whether a call has changed something; reset by the caller. */
  wrote = false;

  constructor(api: AirtableApi, table: AirtableTable) {
    this.#api = api;
    this.#table = table;
  }

  /** Rows have distinct ids. Raises DestinationFailure. */
  async put(by: AirtableAccess, rows: readonly PutRow[]): Promise<PutOutcome> {
    const outcome: PutOutcome = { records: new Map(), rejected: [] };
    const sendable = await this.#sendable(by, rows, outcome);
    for (let at = 0; at < sendable.length; at += BATCH_RECORDS) {
      await this.#batch(by, sendable.slice(at, at + BATCH_RECORDS), outcome, false);
    }
    return outcome;
  }

  /** Records that are already gone are not a failure. */
  async remove(by: AirtableAccess, records: readonly string[]): Promise<void> {
    for (let at = 0; at < records.length; at += BATCH_RECORDS) {
      await this.#removeBatch(by, records.slice(at, at + BATCH_RECORDS));
    }
  }

  async #removeBatch(by: AirtableAccess, records: readonly string[]): Promise<void> {
    const remove = (ids: readonly string[]) =>
      this.#table.use(by, [], ({ place }) => this.#api.delete(by, place, ids));
    try {
      await remove(records);
    } catch (error) {
      if (!mayBeRemoved(error)) throw error;
      const found = await this.#table.find(by, { texts: [], records }, 'ids');
      if (found.length === records.length) throw error;
      if (found.length > 0) await remove(found.map(({ id }) => id));
    }
    this.wrote = true;
  }

  /** Rows with a number that Airtable would change are refused here, before they share a call with others. */
  async #sendable(
    by: AirtableAccess,
    rows: readonly PutRow[],
    outcome: PutOutcome,
  ): Promise<readonly PutRow[]> {
    if (rows.length === 0) return [];
    const values = rows.map((row) => row.values);
    const columns = await this.#table.use(by, values, async (table) => table.columns);
    const exact = rows.filter((row) => cellsOf(columns, row.values) !== null);
    const kept = new Set(exact);
    outcome.rejected.push(...rows.filter((row) => !kept.has(row)).map(({ id }) => id));
    return exact;
  }

  /** @param settled whether the records of these rows have been looked up after a refusal */
  async #batch(
    by: AirtableAccess,
    rows: readonly PutRow[],
    outcome: PutOutcome,
    settled: boolean,
  ): Promise<void> {
    if (rows.length === 0) return;
    try {
      const values = rows.map((row) => row.values);
      await this.#table.use(by, values, (table) => this.#send(by, table, rows, outcome));
    } catch (error) {
      const hasRecords = rows.some(({ record }) => record !== null);
      if (!isRefusedRow(error) && !(hasRecords && mayBeRemoved(error))) throw error;
      if (!settled) return this.#batch(by, await this.#settled(by, rows), outcome, true);
      const [only, another] = rows;
      if (only !== undefined && another === undefined) {
        // The problem may not be the row, but the remembered type of a column.
        if (this.#table.forgetOnce()) return this.#batch(by, rows, outcome, true);
        return this.#reject(only, outcome, error);
      }
      const half = Math.ceil(rows.length / 2);
      await this.#batch(by, rows.slice(0, half), outcome, true);
      await this.#batch(by, rows.slice(half), outcome, true);
    }
  }

  async #send(
    by: AirtableAccess,
    { place, columns, idColumn }: OpenTable,
    rows: readonly PutRow[],
    outcome: PutOutcome,
  ): Promise<void> {
    const sent = new Map<string, { readonly id: string; readonly cells: Cells }>();
    const records = rows.flatMap((row): NewRecord[] => {
      const { id, text, record, values, keepsText } = row;
      const all = cellsOf(columns, values);
      if (all === null) {
        outcome.rejected.push(id);
        return [];
      }
      const cells =
        keepsText && record !== null
          ? Object.fromEntries(Object.entries(all).filter(([column]) => column !== idColumn))
          : all;
      sent.set(record ?? text, { id, cells });
      return [record === null ? { fields: cells } : { id: record, fields: cells }];
    });
    if (records.length === 0) return;
    const answer = await this.#api.upsert(by, place, idColumn, records);
    this.wrote = true;
    const answered = answer.records.map((record) => {
      const row = sent.get(record.id) ?? sent.get(textOf(record, idColumn));
      const changed =
        row === undefined
          ? columns.find(({ id }) => id === idColumn)
          : changedColumn(
              columns.filter(({ id }) => Object.hasOwn(row.cells, id)),
              record.fields,
              row.cells,
            );
      if (changed) throw new ChangedCell(changed.spec);
      return { record, id: row?.id ?? '' };
    });
    const created = new Set(answer.createdRecords);
    for (const { record, id } of answered) {
      const { id: at, createdTime } = record;
      outcome.records.set(id, { record: at, createdTime, existed: !created.has(at) });
      this.#taken += 1;
    }
  }

  /** Rows after checking what exists: several records with one id, and records that a person has removed. */
  async #settled(by: AirtableAccess, rows: readonly PutRow[]): Promise<readonly PutRow[]> {
    const wanted = {
      texts: rows.map(({ text }) => text),
      records: rows.flatMap(({ record }) => (record === null ? [] : [record])),
    };
    const found = await this.#table.find(by, wanted, 'ids');
    const existing = new Set(found.map(({ id }) => id));
    return rows.flatMap((row): PutRow[] => {
      if (row.record !== null && existing.has(row.record)) return [row];
      // The oldest of several is the one that was written first; the others are copies that a person made.
      const same = found.filter(({ text }) => text === row.text);
      if (row.record === null)
        return [{ ...row, record: same[1] === undefined ? null : (same[0]?.id ?? null) }];
      const [oldest] = same;
      if (oldest !== undefined) return [{ ...row, record: oldest.id }];
      return row.ifRemoved === 'leave' ? [] : [{ ...row, record: null, keepsText: false }];
    });
  }

  #reject({ id }: PutRow, outcome: PutOutcome, error: unknown): void {
    outcome.rejected.push(id);
    this.#refused += 1;
    if (this.#taken > 0 || this.#refused < HOPELESS_ROWS) return;
    const word = error instanceof VendorRefusal && error.word !== '' ? ` (${error.word})` : '';
    throw new DestinationFailure(
      'run_failed',
      `Airtable refuses every row${word}: look at the types of the table’s columns.`,
      { outcome: 'refused', retryable: false, cause: error },
    );
  }
}

function isRefusedRow(error: unknown): boolean {
  return error instanceof VendorRefusal && isAboutRows(error.status, error.word);
}

/** A call with a record that does not exist is refused in more than one way. */
function mayBeRemoved(error: unknown): boolean {
  return (
    isRefusedRow(error) || (error instanceof VendorRefusal && error.code === 'destination_resource_missing')
  );
}
