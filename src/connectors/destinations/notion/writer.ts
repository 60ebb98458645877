import type { Clock } from '../../../platform/clock.ts';
import { TRANSACTION_FIELDS, type TransactionField } from '../../../vocabulary/row-fields.ts';
import type { DeliveryRow } from '../delivery-rows.ts';
import type { DestinationWriter, TargetReading } from '../destination-contract.ts';
import { DestinationFailure } from '../destination-failure.ts';
import type { OpenedSync } from '../destination-opening.ts';
import { chosenFields } from '../kit/chosen-fields.ts';
import { encodeValues } from '../kit/encoded-row.ts';
import type { OutgoingChunk, StandingRow, WrittenChunk } from '../outgoing-chunk.ts';
import { TRANSACTION_VALUES } from '../row-values.ts';
import type { NotionApi } from './api.ts';
import { ChunkWrite } from './chunk-write.ts';
import { FIELDS } from './columns.ts';
import { notionReading } from './reading.ts';
import { isOlder, StandingPages } from './standing-pages.ts';
import { openTarget, type Target } from './target.ts';

/** Writes the rows of one run into one database. Nothing is called before the first chunk. */
export class NotionWriter implements DestinationWriter {
  readonly #api: NotionApi;
  readonly #database: string;
  readonly #standing: StandingPages;
  readonly #chosen: readonly TransactionField[] | null;
  readonly #fields: readonly TransactionField[];
  readonly reading: TargetReading;
  #target: Target | null = null;

  constructor(api: NotionApi, clock: Clock, database: string, { columns }: Pick<OpenedSync, 'columns'>) {
    this.#api = api;
    this.#database = database;
    this.#standing = new StandingPages(api, clock);
    this.#chosen = chosenFields(columns, TRANSACTION_FIELDS, 'transaction_id');
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
      standing: this.#standing,
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
    ids: readonly string[],
    created: number,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, StandingRow>> {
    if (ids.length === 0) return new Map();
    const target = await this.#opened(signal);
    const found = await this.#standing.findForSure(target, ids, [], signal);
    return new Map(
      [...found].map(([id, page]) => [id, { remoteRef: page.id, older: isOlder(page, created) }]),
    );
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
