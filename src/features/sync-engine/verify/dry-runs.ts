import type { WrittenChunk } from '../../../connectors/destinations/delivery-rows.ts';
import { chunksInDoubt, type DeliveryChunk } from '../../../storage/delivery-chunks.ts';
import { type DeliveryStream, streamsOfSync } from '../../../storage/delivery-streams.ts';
import { findDestination } from '../../../storage/destinations.ts';
import type { LedgerWrite } from '../../../storage/ledger-writes.ts';
import { NEVER_READ, readingsOfStreams, type StreamReading } from '../../../storage/stream-readings.ts';
import { hasSweepTurn } from '../../../storage/sweep-turns.ts';
import { findSync } from '../../../storage/syncs.ts';
import type { OwnerId, RowId } from '../../../vocabulary/ids.ts';
import { missing, ServiceError } from '../../../vocabulary/service-error.ts';
import type { SyncType } from '../../../vocabulary/syncs.ts';
import { accountDiff } from '../compare/account-diff.ts';
import { overlaidLedger } from '../compare/ledger-view.ts';
import type { RowChange } from '../compare/row-changes.ts';
import { deliveredChunk } from '../deliver/chunks.ts';
import { RefusedRows } from '../deliver/rejected-rows.ts';
import { type HeldRows, holdRows, UnconfirmedChunks } from '../deliver/unconfirmed-chunks.ts';
import { RunReads } from '../read/run-reads.ts';
import { FoundRows, SeenIds } from '../read/seen-ids.ts';
import type { RuledTransaction } from '../read/source-row.ts';
import { lostAccounts, readAccount, type SourceAccount, type SyncSource } from '../read/sync-source.ts';
import {
  type ReadingOptions,
  readingBesideRuns,
  timesTakenWhileIdle,
  withinSeconds,
} from '../run/beside-runs.ts';
import type { ReadContext } from '../run/run-context.ts';
import { type DryRun, DryRunTally } from './dry-run-result.ts';

export interface DryRunsOptions extends ReadingOptions {
  readonly source: SyncSource;
}

/** What the next run of a sync would do (docs/dry-runs.md). Nothing is written, and no destination is called. */
export class DryRuns {
  readonly #options: DryRunsOptions;

  constructor(options: DryRunsOptions) {
    this.#options = options;
  }

  /**
   * Reads what the next run would read, for LIMIT_DRY_RUN_SECONDS at most, and returns what differs from what was
   * delivered. A sync that is disabled, or whose destination cannot be written to, is treated as if it could run.
   * `permit` raises if the caller may not read rows of the type. Raises `resource_missing`, `sync_has_no_destination`,
   * `sync_already_running` if a run is in progress or began in the meantime, `categories_seed_failed`, and
   * `signal.reason`.
   */
  async of(
    owner: OwnerId,
    id: RowId<'sync'>,
    permit: (type: SyncType) => void,
    signal: AbortSignal,
  ): Promise<DryRun> {
    const { db, clock, limits, source } = this.#options;
    const sync = await findSync(db, owner, id);
    if (sync === null) throw missing('sync');
    permit(sync.type);
    const destination = await findDestination(db, owner, sync.destination);
    if (destination === null) throw new ServiceError('sync_has_no_destination');
    const taken = await timesTakenWhileIdle(db, owner, id);
    const tally = new DryRunTally(limits.dry_run_rows);
    await withinSeconds(clock, limits.dry_run_seconds, signal, async (late) => {
      const reading = AbortSignal.any([signal, late]);
      const takeSweepTurn = () => hasSweepTurn(db, owner, limits.sweeps_at_once, new Date(clock.now()));
      const context = await readingBesideRuns(this.#options, sync, destination, reading, takeSweepTurn);
      const streams = await streamsOfSync(db, owner, id);
      const readings = await readingsOfStreams(
        db,
        streams.map((stream) => stream.id),
      );
      const chunks = await chunksInDoubt(db, owner, id);
      await new DryPass({ context, source, streams, readings, chunks, tally, late }).work();
    });
    signal.throwIfAborted();
    // A run that wrote to the ledger in the meantime would make the comparison a mixture of before and after.
    if ((await timesTakenWhileIdle(db, owner, id)) !== taken) throw new ServiceError('sync_already_running');
    return tally.result;
  }
}

const NONE: ReadonlySet<string> = new Set();
const NOTHING_READ = { processed: 0, skipped: 0 };
/** The answer of a destination that accepts every row. */
const ALL_TAKEN: WrittenChunk = { rejected: [], remoteRefs: new Map(), existed: new Map() };

interface DryPassOptions {
  readonly context: ReadContext;
  readonly source: SyncSource;
  readonly streams: readonly DeliveryStream[];
  readonly readings: ReadonlyMap<number, StreamReading>;
  readonly chunks: readonly DeliveryChunk[];
  readonly tally: DryRunTally;
  /** Aborts when the time for reading is up: accounts not yet read then fail with `upstream_timeout`. */
  readonly late: AbortSignal;
}

/**
 * What a pass over a sync (RunPass) would send, determined with the same parts: unconfirmed chunks are rebuilt and
 * treated as delivered, then each account is read and compared. Writes nothing and uses no destination.
 */
class DryPass {
  readonly #options: DryPassOptions;
  readonly #streams: readonly DeliveryStream[];
  /** Rows of unconfirmed chunks: they are counted when those are sent, and not also as unchanged. */
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

  /** Like Recovery, without a destination: one that would be queried for what is there is not. */
  async #resend(): Promise<HeldRows> {
    const { chunks, source, streams, context } = this.#options;
    const held = new Map<number, Set<string>>();
    const writes: LedgerWrite[] = [];
    for (const chunk of chunks) {
      const rebuilt = await new UnconfirmedChunks(this.#context, source, streams).rebuild(chunk);
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
    try {
      for await (const changes of diff.changes()) {
        for (const change of changes) if (!this.#refused.keepsBack(change)) this.#add(change);
      }
    } finally {
      tally.unreadable(account, diff.aside.count);
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
