import type { DeliveryChunk } from '../../../storage/delivery-chunks.ts';
import type { LedgerEntry } from '../../../storage/delivery-ledger.ts';
import type { DeliveryStream } from '../../../storage/delivery-streams.ts';
import type { RowId } from '../../../vocabulary/ids.ts';
import { ServiceError } from '../../../vocabulary/service-error.ts';
import { changeOf, encodedChange, type RowChange, removalOf, ruledRow } from '../compare/row-changes.ts';
import { ChunkPacker } from '../deliver/chunks.ts';
import { readAhead, rowPages } from '../read/reading-plan.ts';
import type { SourceRow } from '../read/source-row.ts';
import type { SourceAccount, SyncSource } from '../read/sync-source.ts';
import type { ReadContext, RunContext } from '../run/run-context.ts';
import type { ReplayedRows } from './replay-rows.ts';
import { type Replay, ReplayEnded, type ReplaySender } from './replay-sender.ts';

export interface ReplayPassOptions {
  readonly context: ReadContext & Pick<RunContext, 'writer' | 'connector' | 'rowForm'>;
  readonly source: SyncSource;
  readonly streams: readonly DeliveryStream[];
  /** Unconfirmed chunks: their rows are left to the next run. */
  readonly chunks: readonly DeliveryChunk[];
  /** What is replayed of an account; null for nothing. */
  readonly rowsOf: (account: RowId<'account'>, source: SourceAccount) => ReplayedRows | null;
  readonly sender: ReplaySender;
  /** Aborts when the time is up. */
  readonly late: AbortSignal;
}

/**
 * Sends again what the receiver has according to the ledger, as the bank has it now. A row that is not in the ledger,
 * or is in an unconfirmed chunk, is left to the next run: if it were sent here, it would not be removed once the bank
 * replaces it.
 */
export class ReplayPass {
  readonly #options: ReplayPassOptions;
  readonly #packer: ChunkPacker;
  readonly #unconfirmed: ReadonlySet<string>;
  readonly #result: Replay = { sent: 0, missing: null, undelivered: 0, deliveries: 0, failure: null };

  constructor(options: ReplayPassOptions) {
    this.#options = options;
    this.#packer = new ChunkPacker(options.context.connector);
    const rows = options.chunks.flatMap((chunk) => chunk.rows);
    this.#unconfirmed = new Set(
      rows.flatMap(({ stream, sourceId, replaces }) =>
        [sourceId, ...(replaces === null ? [] : [replaces])].map((id) => `${stream} ${id}`),
      ),
    );
  }

  /** Raises what storage raises, or the reason of an abort. */
  async work(): Promise<Replay> {
    const { streams, sender, late } = this.#options;
    try {
      for (const stream of streams) await this.#account(stream);
      const last = this.#packer.finish();
      if (last !== null) await sender.send(last, true);
    } catch (error) {
      if (error instanceof ReplayEnded) this.#result.failure = error.code;
      else if (late.aborted) this.#result.failure = 'upstream_timeout';
      else throw error;
    }
    return { ...this.#result, sent: sender.sent, deliveries: sender.deliveries };
  }

  /** An account that cannot be read does not stop the others. */
  async #account(stream: DeliveryStream): Promise<void> {
    const { context, source, rowsOf } = this.#options;
    try {
      const opened = await source.open(context.sync.account_record, stream.account);
      const rows = rowsOf(stream.account, opened);
      if (rows === null) return;
      await this.#removals(stream, rows);
      await this.#read(stream, opened, rows);
      if (rows.missing !== null) this.#miss(rows.missing);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      this.#result.failure ??= error.code;
    }
  }

  async #read(stream: DeliveryStream, source: SourceAccount, rows: ReplayedRows): Promise<void> {
    const { sync, reading } = this.#options.context;
    for (const window of rows.windows) {
      if (rows.missing === 0) return;
      const pages = readAhead((signal) => rowPages(source, sync.type, window, signal), reading);
      for await (const page of pages) {
        await this.#page(stream, source, rows, rows.take(page));
        if (rows.missing === 0) return;
      }
    }
  }

  async #page(
    stream: DeliveryStream,
    source: SourceAccount,
    replayed: ReplayedRows,
    rows: readonly SourceRow[],
  ): Promise<void> {
    const { context } = this.#options;
    const ids = rows.flatMap(({ id }) => [id, ...pendingOf(replayed, id)]);
    const entries = await context.ledger.entries(stream.id, [...new Set(ids)]);
    for (const row of rows) {
      const entry = entries.get(row.id);
      const ruled = ruledRow(context, row, stream);
      if (entry === undefined || this.#isInDoubt(stream, row.id)) {
        if (!ruled.skipped) this.#result.undelivered += 1;
      } else if (entry.retired || ruled.skipped) {
        if (replayed.missing !== null) this.#miss(1);
      } else {
        const more = {
          change: 'new',
          countsAs: 'added',
          replaces: this.#replaces(stream, replayed, row.id, entries),
        } as const;
        await this.#pack(changeOf(context, stream, source, ruled, more));
      }
    }
  }

  /** The pending row, if it is still gone; one that has come back exists alongside the row that replaced it. */
  #replaces(
    stream: DeliveryStream,
    replayed: ReplayedRows,
    id: string,
    entries: ReadonlyMap<string, LedgerEntry>,
  ): string | null {
    const replaced = replayed.replaced(id);
    return replaced !== null && this.#isGone(stream, replaced, entries) ? replaced : null;
  }

  async #removals(stream: DeliveryStream, { removed }: ReplayedRows): Promise<void> {
    if (removed.length === 0) return;
    const entries = await this.#options.context.ledger.entries(stream.id, removed);
    for (const id of removed) {
      if (this.#isGone(stream, id, entries)) await this.#pack(removalOf(stream, id, null));
    }
  }

  #isGone(stream: DeliveryStream, id: string, entries: ReadonlyMap<string, LedgerEntry>): boolean {
    return entries.get(id)?.retired === true && !this.#isInDoubt(stream, id);
  }

  #isInDoubt({ id: stream }: DeliveryStream, id: string): boolean {
    return this.#unconfirmed.has(`${stream} ${id}`);
  }

  async #pack(change: RowChange): Promise<void> {
    const { context, sender } = this.#options;
    const chunk = this.#packer.add(encodedChange(context, change));
    if (chunk !== null) await sender.send(chunk, false);
  }

  #miss(rows: number): void {
    this.#result.missing = (this.#result.missing ?? 0) + rows;
  }
}

function pendingOf(rows: ReplayedRows, id: string): readonly string[] {
  const replaced = rows.replaced(id);
  return replaced === null ? [] : [replaced];
}
