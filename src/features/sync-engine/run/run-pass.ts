import { DestinationFailure } from '../../../connectors/destinations/destination-failure.ts';
import type { DeliveryStream } from '../../../storage/delivery-streams.ts';
import { pruneRetired } from '../../../storage/retired-rows.ts';
import { NEVER_READ, readingsOfStreams, type StreamReading } from '../../../storage/stream-readings.ts';
import type { ErrorCode } from '../../../vocabulary/error-codes.ts';
import type { RowId } from '../../../vocabulary/ids.ts';
import { ServiceError } from '../../../vocabulary/service-error.ts';
import { AccountDiff } from '../compare/account-diff.ts';
import { ChangesUnderWay } from '../compare/change.ts';
import { encodedChange, type RowChange } from '../compare/row-changes.ts';
import type { VanishedOutcome } from '../compare/vanished-rows.ts';
import { ChunkPacker } from '../deliver/chunk-packer.ts';
import { Delivery } from '../deliver/delivery.ts';
import type { HeldRows } from '../deliver/held-rows.ts';
import { Recovery } from '../deliver/recovery.ts';
import { RefusedRows } from '../deliver/refused-rows.ts';
import { type AccountRead, readOutcome } from '../read/read-outcome.ts';
import type { ReadPlan } from '../read/reading-plan.ts';
import type { RowsAside } from '../read/rows-aside.ts';
import { RunReads } from '../read/run-reads.ts';
import { SeenIds } from '../read/seen-ids.ts';
import type { SyncSource } from '../read/sync-source.ts';
import { AccountResults } from './account-results.ts';
import { LeaseLost, type RunContext } from './run-context.ts';
import type { AccountResult, RunFailure, RunResult } from './run-result.ts';
import { finishDestination } from './run-tail.ts';

const NONE: ReadonlySet<string> = new Set();
const NO_HITS: AccountResult['hits'] = new Map();
/** A chunk waits for an account that could not be read when the pass began. */
const STILL_IN_DOUBT = { code: 'run_failed', retryable: true, attention: null } as const;

/**
 * One pass over a sync: resolve what is unconfirmed, then account by account read, compare and deliver. An account that
 * cannot be read keeps its cursor and does not stop the others; a destination that fails ends the pass.
 */
export class RunPass {
  readonly #context: RunContext;
  readonly #source: SyncSource;
  readonly #streams: readonly DeliveryStream[];
  readonly #underWay = new ChangesUnderWay();
  readonly #sentIds = new SeenIds();
  readonly #packer: ChunkPacker;
  readonly #delivery: Delivery;
  readonly #recovery: Recovery;
  readonly #results: AccountResults;
  readonly #reads: RunReads;
  readonly #refused: RefusedRows;
  readonly #plans = new Map<RowId<'account'>, ReadPlan>();
  /** Streams that were read to their end. */
  readonly #swept: number[] = [];

  constructor(context: RunContext, source: SyncSource, streams: readonly DeliveryStream[]) {
    this.#context = context;
    this.#source = source;
    this.#streams = streams.filter((stream) => stream.present);
    this.#packer = new ChunkPacker(context.connector);
    this.#results = new AccountResults(source, context.run.account_record);
    this.#refused = new RefusedRows(context);
    this.#delivery = new Delivery(context, this.#underWay, this.#results.read, this.#refused);
    this.#reads = new RunReads(context);
    this.#recovery = new Recovery(context, source, streams, this.#refused);
  }

  /** Raises DestinationFailure, LeaseLost, what storage raises, or the reason of an abort. */
  async work(): Promise<RunResult> {
    const held = await this.#recovery.resolve(this.#results.read);
    const readings = await readingsOfStreams(
      this.#context.db,
      this.#streams.map(({ id }) => id),
    );
    try {
      for (const stream of this.#streams) {
        await this.#readAccount(stream, held, readings.get(stream.id) ?? NEVER_READ);
      }
      const last = this.#packer.finish();
      if (last !== null) await this.#delivery.push(last, true);
    } finally {
      // Also when reading was cut off: the chunk under way is finished, so it is not left unconfirmed.
      await this.#delivery.drain();
    }
    // Only now is what they found delivered.
    this.#reads.delivered(this.#swept);
    const { delivered } = this.soFar();
    const done = { read: this.#results.succeeded, delivered };
    await finishDestination(this.#context, this.#source, this.#streams, done);
    await this.#pruneRetired();
    await this.#results.noteLost();
    const accounts = this.#results.all.map((result) => this.#withRefused(result));
    return { ...this.soFar(), accounts, failure: this.#failure(held) };
  }

  /** What was done, for a pass that did not come to its end: no cursor moves. */
  soFar(): Omit<RunResult, 'failure'> {
    return {
      accounts: [],
      lines: this.#results.lines,
      unswept: this.#reads.unswept,
      again: this.#reads.again,
      read: this.#results.read,
      aside: this.#results.aside,
      refused: this.#refused.outcome,
      delivered: this.#delivery.delivered + this.#recovery.delivered > 0,
    };
  }

  async #readAccount(stream: DeliveryStream, held: HeldRows, known: StreamReading): Promise<void> {
    const { clock, run, sync, range } = this.#context;
    const counts = this.#results.begin(stream.account);
    const began = new Date(clock.now());
    let failure: ErrorCode | null = null;
    let read: AccountRead | null = null;
    let hits = NO_HITS;
    let aside: RowsAside | null = null;
    let timezone = 'UTC';
    let vanished: VanishedOutcome | null = null;
    let ambiguous = 0;
    try {
      const unplaced = this.#context.unplaced.get(stream.account);
      if (unplaced !== undefined) throw new ServiceError(unplaced);
      const source = await this.#source.open(run.account_record, stream.account);
      timezone = source.timezone;
      read = await this.#reads.begin(stream, source, known, began.getTime());
      const reader = new AccountDiff(
        this.#context,
        stream,
        source,
        {
          underWay: this.#underWay,
          sent: this.#sentIds,
          held: held.get(stream.id) ?? NONE,
        },
        read,
      );
      hits = reader.hits.counts;
      aside = reader.aside;
      this.#results.watch(stream.account, aside);
      for await (const changes of reader.changes()) {
        this.#results.count(counts, reader.counts);
        await this.#pack(changes);
      }
      vanished = reader.vanished;
      ambiguous = reader.ambiguous;
      this.#noteGaps(stream, vanished, ambiguous);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      failure = error.code;
      await this.#results.failed(stream.account, failure);
    }
    const settled = failure === null && !held.has(stream.id);
    const outcome =
      settled && read !== null
        ? readOutcome(this.#context, stream, known, { read, vanished, ambiguous }, began)
        : null;
    if (outcome !== null) this.#swept.push(stream.id);
    if (settled && read !== null) this.#plans.set(stream.account, read.plan);
    this.#results.add({
      account: stream.account,
      stream: stream.id,
      failure,
      incomplete: read?.state === 'loading',
      counts,
      from: sync.options.data_from,
      places: this.#context.places.summary(stream.account),
      cursor: outcome?.cursor ?? null,
      reading: outcome?.reading ?? null,
      over: settled && read !== null && aside !== null ? aside.over(read.plan, timezone) : [],
      // The run that moves the cursor past these rows counts them.
      hits: settled && range === null ? hits : NO_HITS,
    });
  }

  #noteGaps({ account }: DeliveryStream, vanished: VanishedOutcome | null, ambiguous: number): void {
    const { log, run } = this.#context;
    const missing = vanished?.doubted ?? null;
    if (missing !== null) {
      log.warn('Bank left out more rows than is plausible; none was removed', {
        run: run.id,
        account,
        missing,
      });
    }
    if (ambiguous > 0) {
      const message = 'Rows resemble missing rows, but not one to one; sent as new';
      log.warn(message, { run: run.id, account, rows: ambiguous });
    }
  }

  /** Only once everything is delivered is it known which rows were refused. */
  #withRefused(result: AccountResult): AccountResult {
    const plan = this.#plans.get(result.account);
    if (plan === undefined || result.failure !== null) return result;
    return { ...result, over: [...result.over, ...this.#refused.over(result.account, plan)] };
  }

  async #pruneRetired(): Promise<void> {
    const { db, lease, limits } = this.#context;
    for (const stream of this.#swept) {
      if (!(await pruneRetired(db, lease, stream, limits.retired_rows))) throw new LeaseLost();
    }
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

  #failure(held: HeldRows): RunFailure | null {
    const telling = this.#results.failure;
    if (telling !== null) return { ...telling, fault: 'none' };
    if (held.size > 0) return { ...STILL_IN_DOUBT, fault: 'none' };
    if (this.#refused.fresh === 0 || this.#delivery.accepted > 0) return null;
    throw new DestinationFailure('run_failed', 'The destination refused every row.', {
      outcome: 'refused',
      retryable: false,
    });
  }
}
