import { DestinationFailure } from '../../../connectors/destinations/destination-failure.ts';
import type { DeliveryStream } from '../../../storage/delivery-streams.ts';
import type { RejectedRowKey } from '../../../storage/rejected-rows.ts';
import { pruneRetired } from '../../../storage/retired-rows.ts';
import { NEVER_READ, readingsOfStreams, type StreamReading } from '../../../storage/stream-readings.ts';
import { publicId, type RowId } from '../../../vocabulary/ids.ts';
import { ChangesUnderWay, encodedChange, type ReadCounts, type RowChange } from '../compare/row-changes.ts';
import { RowsDiff } from '../compare/rows-diff.ts';
import { ChunkPacker } from '../deliver/chunks.ts';
import { Delivery } from '../deliver/delivery.ts';
import { Recovery } from '../deliver/recovery.ts';
import { RefusedRows } from '../deliver/rejected-rows.ts';
import type { HeldRows } from '../deliver/unconfirmed-chunks.ts';
import type { ReadPlan } from '../read/reading-plan.ts';
import { type AccountRead, RunReads, readOutcome } from '../read/run-reads.ts';
import { SeenIds } from '../read/seen-ids.ts';
import type { SourceAccount, SyncSource } from '../read/sync-source.ts';
import { LeaseLost, type RunContext } from './run-context.ts';
import type { AccountConclusion, AccountResult, RunFailure, RunResult } from './run-ending.ts';

const NONE: ReadonlySet<string> = new Set();
const NO_HITS: AccountResult['hits'] = new Map();
/** A chunk waits for an account that could not be read when the pass began. */
const STILL_IN_DOUBT = { code: 'run_failed', retryable: true, attention: null, fault: 'none' } as const;

/**
 * Delivers transactions and trades: first what is unconfirmed, then the changes of all accounts in chunks. Each method
 * raises DestinationFailure, LeaseLost, what storage raises, or the reason of an abort.
 */
export class ChunkedDelivery {
  readonly #context: RunContext;
  readonly #streams: readonly DeliveryStream[];
  readonly #read: ReadCounts;
  readonly #underWay = new ChangesUnderWay();
  readonly #sentIds = new SeenIds();
  readonly #packer: ChunkPacker;
  readonly #delivery: Delivery;
  readonly #recovery: Recovery;
  readonly #reads: RunReads;
  readonly #refused: RefusedRows;
  readonly #plans = new Map<RowId<'account'>, ReadPlan>();
  /** Streams that were read completely. */
  readonly #swept: number[] = [];
  #held: HeldRows = new Map();
  #readings: ReadonlyMap<number, StreamReading> = new Map();

  /**
   * @param streams of the sync, including those of accounts that it no longer has
   * @param read how much was read of all accounts together
   */
  constructor(context: RunContext, source: SyncSource, streams: readonly DeliveryStream[], read: ReadCounts) {
    this.#context = context;
    this.#streams = streams;
    this.#read = read;
    this.#packer = new ChunkPacker(context.connector);
    this.#refused = new RefusedRows(context);
    this.#delivery = new Delivery(context, this.#underWay, read, this.#refused);
    this.#reads = new RunReads(context);
    this.#recovery = new Recovery(context, source, streams, this.#refused);
  }

  get soFar(): Pick<RunResult, 'unswept' | 'again' | 'refused' | 'delivered'> {
    return {
      unswept: this.#reads.unswept,
      again: this.#reads.again,
      refused: this.#refused.outcome,
      delivered: this.#delivery.delivered + this.#recovery.delivered > 0,
    };
  }

  /** Before the first account: continues where an earlier attempt at the run was interrupted. */
  async begin(): Promise<void> {
    this.#held = await this.#recovery.resolve(this.#read);
    const present = this.#streams.filter((stream) => stream.present);
    this.#readings = await readingsOfStreams(
      this.#context.db,
      present.map(({ id }) => id),
    );
  }

  /** Delivered rows are in the ledger, so reading them again finds nothing to send. */
  passOver(): null {
    return null;
  }

  /**
   * The delivery of one account: `take` takes a page of its changes, and `conclude` is called once the account was read
   * completely, and that is counted.
   */
  async open(stream: DeliveryStream, source: SourceAccount, began: Date) {
    const known = this.#readings.get(stream.id) ?? NEVER_READ;
    const read = await this.#reads.begin(stream, source, known, began.getTime());
    const rows = {
      underWay: this.#underWay,
      sent: this.#sentIds,
      held: this.#held.get(stream.id) ?? NONE,
    };
    const diff = new RowsDiff(this.#context, stream, source, rows, read);
    return {
      diff,
      take: (changes: readonly RowChange[]): Promise<void> => this.#pack(changes),
      conclude: async (): Promise<AccountConclusion> =>
        this.#conclusion(stream, source, { diff, read, known, began }),
    };
  }

  /** After the last account. */
  async end(): Promise<void> {
    const last = this.#packer.finish();
    if (last !== null) await this.#delivery.push(last, true);
    await this.#delivery.drain();
    // Only now is everything they found delivered.
    this.#reads.delivered(this.#swept);
  }

  /** However reading ends: chunks in progress are finished, so that they are not left unconfirmed. */
  drain(): Promise<void> {
    return this.#delivery.drain();
  }

  /** Once the destination has completed its own last step. */
  async prune(): Promise<void> {
    const { db, lease, limits } = this.#context;
    for (const stream of this.#swept) {
      if (!(await pruneRetired(db, lease, stream, limits.retired_rows))) throw new LeaseLost();
    }
  }

  /** Rows of an account that were refused and no longer are, once everything is delivered. */
  over(account: RowId<'account'>): readonly RejectedRowKey[] {
    const plan = this.#plans.get(account);
    return plan === undefined ? [] : this.#refused.over(account, plan);
  }

  /** Why the run fails although every account was read; null if it does not. */
  failure(): RunFailure | null {
    if (this.#held.size > 0) return STILL_IN_DOUBT;
    if (this.#refused.fresh === 0 || this.#delivery.accepted > 0) return null;
    throw new DestinationFailure('run_failed', 'The destination refused every row.', {
      outcome: 'refused',
      retryable: false,
    });
  }

  async #pack(changes: readonly RowChange[]): Promise<void> {
    for (const change of changes) {
      if (this.#refused.keepsBack(change)) continue;
      const chunk = this.#packer.add(encodedChange(this.#context, change));
      if (chunk !== null) {
        this.#context.reading.throwIfAborted();
        await this.#delivery.push(chunk, false);
      }
    }
  }

  /** An account with rows in a chunk that is still waiting is not delivered completely: its cursor does not move. */
  #conclusion(
    stream: DeliveryStream,
    { timezone }: SourceAccount,
    {
      diff,
      read,
      known,
      began,
    }: {
      readonly diff: RowsDiff;
      readonly read: AccountRead;
      readonly known: StreamReading;
      readonly began: Date;
    },
  ): AccountConclusion {
    const { vanished, ambiguous, version } = diff;
    this.#noteGaps(stream, diff);
    const incomplete = read.state === 'loading';
    if (this.#held.has(stream.id))
      return { incomplete, cursor: null, reading: null, over: [], hits: NO_HITS };
    this.#swept.push(stream.id);
    this.#plans.set(stream.account, read.plan);
    return {
      ...readOutcome(this.#context, stream, known, { read, vanished, ambiguous, version }, began),
      incomplete,
      over: diff.aside.over(read.plan, timezone),
      // The run that moves the cursor past these rows counts them.
      hits: this.#context.range === null ? diff.hits.counts : NO_HITS,
    };
  }

  #noteGaps({ account }: DeliveryStream, { vanished, ambiguous }: RowsDiff): void {
    const { log, run } = this.#context;
    const missing = vanished?.unconfirmed ?? null;
    if (missing !== null) {
      log.warn('Bank left out more rows than is plausible; none was removed', {
        run: publicId('sync_run', run.id),
        account: publicId('account', account),
        missing,
      });
    }
    if (ambiguous > 0) {
      const message = 'Rows resemble missing rows, but not one to one; sent as new';
      log.warn(message, {
        run: publicId('sync_run', run.id),
        account: publicId('account', account),
        ambiguous,
      });
    }
  }
}
