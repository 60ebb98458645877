import type { Clock } from '../../../platform/clock.ts';
import type {
  BalanceSnapshot,
  DeliveryRow,
  OutgoingChunk,
  Snapshot,
  WrittenChunk,
} from '../delivery-rows.ts';
import type {
  DestinationAccess,
  DestinationOpening,
  DestinationWriter,
  TargetReading,
} from '../destination-contract.ts';
import { DestinationFailure, withUnknownOutcome } from '../destination-failure.ts';
import { type OAuth, readGrant } from '../kit/oauth.ts';
import { SharedIds } from '../kit/shared-ids.ts';
import { ChunkRows } from './chunk-rows.ts';
import { type AirtableAccess, type AirtableApi, BATCH_RECORDS, type Table } from './client.ts';
import {
  BALANCE_COLUMNS,
  BALANCE_ID_COLUMN,
  balanceValues,
  type ColumnSpec,
  encodeTransaction,
  ID_COLUMN,
  newField,
} from './columns.ts';
import { explained } from './failures.ts';
import { airtableReading } from './reading.ts';
import { type PutRow, RecordBatches } from './record-batches.ts';
import { AirtableTable } from './table.ts';
import { type ColumnCache, freeName } from './table-columns.ts';

/** Airtable expires a refresh token unused for 60 days; a sync without new rows uses none. */
const IDLE_MS = 14 * 24 * 3_600_000;

interface AirtableWriterOptions {
  readonly api: AirtableApi;
  readonly oauth: Pick<OAuth, 'renewed'>;
  readonly clock: Clock;
  readonly access: DestinationAccess;
  readonly base: string;
  /** Of `table`. */
  readonly columns: readonly ColumnSpec[];
  readonly tableId: string;
  readonly table: AirtableTable;
  readonly balances: Balances;
  readonly accountsWithRows: DestinationOpening['accountsWithRows'];
}

/** Writes the rows of one run into one table. Makes no call before there is something to write. */
export class AirtableWriter implements DestinationWriter {
  readonly #options: AirtableWriterOptions;
  readonly #batches: RecordBatches;
  readonly #sharedIds: SharedIds;
  readonly #idAt: number;
  readonly reading: TargetReading;
  /**
   * Whether new rows are looked for before they are written: after a resync most of them already exist unchanged, and
   * one call finds a hundred. Null until the first chunk shows it.
   */
  #looksFirst: boolean | null = null;

  constructor(options: AirtableWriterOptions) {
    this.#options = options;
    this.#batches = new RecordBatches(options.api, options.table);
    this.#sharedIds = new SharedIds(options.accountsWithRows);
    this.#idAt = options.columns.findIndex(({ key }) => key === ID_COLUMN);
    this.reading = airtableReading({ ...options, table: options.tableId });
  }

  encode(row: DeliveryRow): string {
    if (row.kind !== 'transaction') throw new TypeError('Airtable takes transactions only');
    return encodeTransaction(row, this.#options.columns);
  }

  async write(chunk: OutgoingChunk, signal: AbortSignal): Promise<WrittenChunk> {
    const by = this.#by(signal);
    const ids = await this.#sharedIds.of([...chunk.added, ...chunk.updated, ...chunk.removed]);
    const rows = new ChunkRows(chunk, { at: this.#idAt, ids });
    this.#batches.wrote = false;
    try {
      const looks =
        rows.hasDelivered || (this.#looksFirst ?? (ids.isShared || rows.added.length > BATCH_RECORDS));
      await this.#lookUp(by, rows, looks);
      rows.take(await this.#batches.put(by, rows.toPut()));
      await this.#batches.remove(by, rows.toRemove());
      if (looks || rows.hasOlder) this.#looksFirst = rows.hasOlder;
      const written = rows.written();
      this.#sharedIds.note(chunk, written.rejected);
      return written;
    } catch (error) {
      throw await this.#failure(by, error, this.#batches.wrote);
    }
  }

  async writeSnapshot(snapshot: Snapshot): Promise<void> {
    if (snapshot.kind !== 'balance') throw new TypeError('Airtable takes no holdings');
    this.#options.balances.add(snapshot);
  }

  /** Writes the balances, and keeps alive a grant that was not used for weeks. */
  async finish(_ending: unknown, signal: AbortSignal): Promise<void> {
    const by = this.#by(signal);
    try {
      await this.#options.balances.write(by);
      await this.#renewIdle();
    } catch (error) {
      throw await this.#failure(by, error, false);
    }
  }

  async close(): Promise<void> {}

  async #lookUp(by: AirtableAccess, rows: ChunkRows, looks: boolean): Promise<void> {
    const texts = rows.toFind(looks);
    if (texts.length === 0) return;
    const { table } = this.#options;
    const found = await table.find(by, { texts, records: [] }, 'everything');
    const columns = await table.use(by, [], async (open) => open.columns);
    rows.stand(found, columns, looks);
  }

  async #renewIdle(): Promise<void> {
    const { access, oauth, clock } = this.#options;
    const stored = await access.current();
    const { expires, refresh } = readGrant(stored);
    if (refresh === null || expires === null || expires > clock.now() - IDLE_MS) return;
    await access.renew(stored, (grant, within) => oauth.renewed(grant, within));
  }

  #by(signal: AbortSignal): AirtableAccess {
    return { access: this.#options.access, signal, askedBy: 'run' };
  }

  /** The failure that ends the run. Once part of a chunk is written, its outcome is unknown. */
  async #failure(by: AirtableAccess, error: unknown, wrote: boolean): Promise<unknown> {
    if (by.signal.aborted || !(error instanceof DestinationFailure)) return error;
    const { api, base } = this.#options;
    const failure = await explained(api, by, base, error);
    return wrote ? withUnknownOutcome(failure) : failure;
  }
}

/** The mark of the table, whatever its name. */
const MARK = 'Filled by Tributary: balances';
const NAME = 'Balances';
/** Decimals: the most that any currency has. */
const DIGITS = 3;

/**
 * The table of balances of a base, with one record for each account. Balances are collected and written ten at a time:
 * a call for each would take a tenth of a small plan's monthly calls.
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

  /** Writes what was added. A balance that Airtable refuses is left as it was. Raises DestinationFailure. */
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
      // A person has deleted the table since it was last used.
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
