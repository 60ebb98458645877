import type { WrittenChunk } from '../../../connectors/destinations/outgoing-chunk.ts';
import type { DeliveryChunk } from '../../../storage/delivery-chunks.ts';
import type { DeliveryStream } from '../../../storage/delivery-streams.ts';
import type { LedgerWrite } from '../../../storage/ledger-writes.ts';
import { NEVER_READ, type StreamReading } from '../../../storage/stream-readings.ts';
import { accountDiff } from '../compare/account-diff.ts';
import { overlaidLedger } from '../compare/ledger-overlay.ts';
import type { RowChange } from '../compare/row-changes.ts';
import type { RuledTransaction } from '../compare/row-rules.ts';
import { deliveredChunk } from '../deliver/delivered-chunk.ts';
import { DoubtedChunks } from '../deliver/doubted-chunks.ts';
import { type HeldRows, holdRows } from '../deliver/held-rows.ts';
import { RefusedRows } from '../deliver/refused-rows.ts';
import { FoundRows } from '../read/found-rows.ts';
import { lostAccounts, readAccount } from '../read/read-account.ts';
import { RunReads } from '../read/run-reads.ts';
import { SeenIds } from '../read/seen-ids.ts';
import type { SourceAccount, SyncSource } from '../read/sync-source.ts';
import type { ReadContext } from '../run/run-context.ts';
import type { DryRunTally } from './dry-run-tally.ts';

const NONE: ReadonlySet<string> = new Set();
const NOTHING_READ = { processed: 0, skipped: 0 };
/** What a destination answers that takes every row. */
const ALL_TAKEN: WrittenChunk = { rejected: [], remoteRefs: new Map(), stood: new Map() };

export interface DryPassOptions {
  readonly context: ReadContext;
  readonly source: SyncSource;
  readonly streams: readonly DeliveryStream[];
  readonly readings: ReadonlyMap<number, StreamReading>;
  readonly chunks: readonly DeliveryChunk[];
  readonly tally: DryRunTally;
  /** Aborts when the time for reading is up: accounts that are not read by then fail with `upstream_timeout`. */
  readonly late: AbortSignal;
}

/**
 * What a pass over a sync (RunPass) would send, found with the same parts: unconfirmed chunks are built again
 * and taken as delivered, then each account is read and compared. Writes nothing and knows no destination.
 */
export class DryPass {
  readonly #options: DryPassOptions;
  readonly #streams: readonly DeliveryStream[];
  /** Rows of unconfirmed chunks: they count when those are sent, and are not unchanged as well. */
  readonly #resent = new Set<string>();
  readonly #refused: RefusedRows;
  #context: ReadContext;

  constructor(options: DryPassOptions) {
    this.#options = options;
    this.#context = options.context;
    this.#refused = new RefusedRows(options.context);
    this.#streams = options.streams.filter((stream) => stream.present);
  }

  /** Raises what storage raises, or the reason of an abort. */
  async work(): Promise<void> {
    const held = await this.#resend();
    const reads = new RunReads(this.#context);
    const { source, tally, late } = this.#options;
    for (const stream of this.#streams) {
      const { failure } = await readAccount(
        this.#context,
        source,
        stream,
        (opened) => this.#account(stream, opened, reads, held),
        late,
      );
      tally.ended(stream.account, failure);
    }
    await this.#noteLost();
  }

  /** As Recovery does, without a destination: one that would be asked what is there is not asked. */
  async #resend(): Promise<HeldRows> {
    const { chunks, source, streams, context } = this.#options;
    const held = new Map<number, Set<string>>();
    const writes: LedgerWrite[] = [];
    for (const chunk of chunks) {
      const rebuilt = await new DoubtedChunks(this.#context, source, streams).rebuild(chunk);
      if (rebuilt === null) {
        holdRows(held, chunk.rows);
        continue;
      }
      const all = [...rebuilt.changes, ...rebuilt.lost];
      for (const change of all) {
        this.#resent.add(`${change.stream} ${change.id}`);
        this.#add(change);
      }
      const at = new Date(context.clock.now());
      writes.push(...deliveredChunk(chunk.event_id, all, ALL_TAKEN, NOTHING_READ, at).ledger);
      this.#context = { ...context, ledger: overlaidLedger(context.ledger, writes) };
    }
    return held;
  }

  async #account(
    stream: DeliveryStream,
    opened: SourceAccount,
    reads: RunReads,
    held: HeldRows,
  ): Promise<void> {
    const { readings, tally } = this.#options;
    const { account } = stream;
    const known = readings.get(stream.id) ?? NEVER_READ;
    const rows = {
      underWay: new FoundRows(),
      sent: new SeenIds(),
      held: held.get(stream.id) ?? NONE,
      observer: {
        skipped: (content: RuledTransaction) =>
          tally.add({
            action: 'skip',
            account,
            id: content.source.id,
            content,
            rules: content.hits,
            replaces: null,
          }),
        unchanged: ({ id }: RowChange) => {
          if (!this.#resent.has(`${stream.id} ${id}`)) tally.unchanged(account);
        },
      },
    };
    const diff = await accountDiff(this.#context, stream, opened, rows, () =>
      reads.begin(stream, opened, known, this.#context.clock.now()),
    );
    for await (const changes of diff.changes()) {
      for (const change of changes) if (!this.#refused.keepsBack(change)) this.#add(change);
    }
  }

  #add({ account, id, change, countsAs, content, hits, replaces }: RowChange): void {
    if (countsAs === null) return;
    this.#options.tally.add({
      action: countsAs === 'added' ? 'add' : change === 'removed' ? 'remove' : 'update',
      account,
      id,
      content: content?.row ?? null,
      rules: hits,
      replaces,
    });
  }

  async #noteLost(): Promise<void> {
    const { source, tally, context } = this.#options;
    const read = tally.result.accounts.filter(({ failure }) => failure === null);
    const ids = read.map(({ account }) => account);
    const lost = await lostAccounts(source, context.sync.account_record, ids);
    for (const [account, failure] of lost) tally.ended(account, failure);
  }
}
