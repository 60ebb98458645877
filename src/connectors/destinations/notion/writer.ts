import type { Clock } from '../../../platform/clock.ts';
import { TRANSACTION_FIELDS, type TransactionField } from '../../../vocabulary/row-fields.ts';
import type { DeliveryRow } from '../delivery-rows.ts';
import type { DestinationWriter, TargetReading } from '../destination-contract.ts';
import { DestinationFailure } from '../destination-failure.ts';
import type { DestinationOpening } from '../destination-opening.ts';
import { chosenFields, encodeValues } from '../kit/rows.ts';
import { SharedIds } from '../kit/shared-ids.ts';
import type { ChunkRow, ExistingRow, OutgoingChunk, WrittenChunk } from '../outgoing-chunk.ts';
import { TRANSACTION_VALUES } from '../row-values.ts';
import { ChunkWrite } from './chunk-write.ts';
import type { NotionApi } from './client.ts';
import { FIELDS } from './columns.ts';
import { ExistingPages, isOlder } from './existing-pages.ts';
import { notionReading } from './reading.ts';
import { openTarget, type Target } from './target.ts';
import type { RowAnswer } from './wire.ts';

/** Writes the rows of one run into one database. Nothing is called before the first chunk. */
export class NotionWriter implements DestinationWriter {
  readonly #api: NotionApi;
  readonly #database: string;
  readonly #existing: ExistingPages;
  readonly #sharedIds: SharedIds;
  readonly #chosen: readonly TransactionField[] | null;
  readonly #fields: readonly TransactionField[];
  readonly reading: TargetReading;
  #target: Target | null = null;

  constructor(
    api: NotionApi,
    clock: Clock,
    database: string,
    { sync, accountsWithRows }: Pick<DestinationOpening, 'sync' | 'accountsWithRows'>,
  ) {
    this.#api = api;
    this.#database = database;
    this.#existing = new ExistingPages(api, clock);
    this.#sharedIds = new SharedIds(accountsWithRows);
    this.#chosen = chosenFields(sync.columns, TRANSACTION_FIELDS, 'transaction_id');
    this.#fields = this.#chosen ?? FIELDS;
    this.reading = notionReading(api, database, this.#chosen);
  }

  encode(row: DeliveryRow): string {
    if (row.kind !== 'transaction') throw new TypeError('a Notion database holds transactions alone');
    return encodeValues(this.#fields.map((field) => TRANSACTION_VALUES[field](row)));
  }

  async write(chunk: OutgoingChunk, signal: AbortSignal): Promise<WrittenChunk> {
    const parts = {
      api: this.#api,
      existing: this.#existing,
      sharedIds: this.#sharedIds,
      fields: this.#fields,
      target: () => this.#opened(signal),
      reopened: () => this.#reopened(signal),
    };
    const work = new ChunkWrite(parts, chunk, signal);
    try {
      return await work.write();
    } catch (error) {
      if (!(error instanceof DestinationFailure) || !work.wrote || error.outcome === 'unknown') throw error;
      const { code, message, retryable, disables } = error;
      throw new DestinationFailure(code, message, { outcome: 'unknown', retryable, disables, cause: error });
    }
  }

  async lookUp(
    rows: readonly Pick<ChunkRow, 'id' | 'account'>[],
    created: number,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, ExistingRow>> {
    if (rows.length === 0) return new Map();
    const target = await this.#opened(signal);
    const ids = await this.#sharedIds.of(rows);
    const textsOf = (of: typeof rows) => [...new Set(of.flatMap((row) => ids.texts(row)))];
    const pageOf = (row: (typeof rows)[number], found: ReadonlyMap<string, readonly RowAnswer[]>) =>
      ids.find(row, (text) => found.get(text) ?? [])?.found ?? null;
    const found = await this.#existing.findForSure(
      target,
      textsOf(rows),
      (so) => textsOf(rows.filter((row) => pageOf(row, so) === null)),
      signal,
    );
    const existing = new Map<string, ExistingRow>();
    for (const row of rows) {
      const page = pageOf(row, found);
      if (page !== null) existing.set(row.id, { remoteRef: page.id, older: isOlder(page, created) });
    }
    return existing;
  }

  async close(): Promise<void> {}

  async #opened(signal: AbortSignal): Promise<Target> {
    return this.#target ?? this.#reopened(signal);
  }

  /** The database as it is now: a person may have changed it while the run was under way. */
  async #reopened(signal: AbortSignal): Promise<Target> {
    this.#target = null;
    this.#target = await openTarget(this.#api, this.#database, this.#chosen, signal);
    return this.#target;
  }
}
