import { DestinationFailure } from '../../connectors/destinations/destination-contract.ts';
import type { DeliveryStream } from '../../storage/delivery-ledger.ts';
import type { ErrorCode } from '../../vocabulary/error-codes.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import { AccountReader } from './account-reader.ts';
import { type Change, ChangesUnderWay, type ReadCounts } from './change.ts';
import { ChunkPacker } from './chunk-packer.ts';
import { Delivery } from './delivery.ts';
import { type HeldRows, Recovery } from './recovery.ts';
import type { RunContext } from './run-context.ts';
import type { AccountResult, RunFailure, RunResult } from './run-ending.ts';
import { mostTelling, type SourceFailure, sourceFailure } from './source-failures.ts';
import type { SyncSource } from './sync-source.ts';
import { ToldRows } from './told-rows.ts';

const NONE: ReadonlySet<string> = new Set();
const NO_HITS: AccountResult['hits'] = new Map();
/** A chunk waits for an account that could not be read when the pass began. */
const STILL_IN_DOUBT = { code: 'run_failed', retryable: true, attention: null } as const;

/**
 * One pass over a sync: settle what is in doubt, then account by account read, compare and deliver. An account that
 * cannot be read keeps its cursor and does not stop the others; a destination that fails ends the pass.
 */
export class RunPass {
  readonly #context: RunContext;
  readonly #source: SyncSource;
  readonly #streams: readonly DeliveryStream[];
  readonly #underWay = new ChangesUnderWay();
  readonly #told = new ToldRows();
  readonly #packer: ChunkPacker;
  readonly #delivery: Delivery;
  readonly #recovery: Recovery;
  readonly #read: ReadCounts = { processed: 0, skipped: 0 };
  readonly #accounts: AccountResult[] = [];
  readonly #failures: SourceFailure[] = [];

  constructor(context: RunContext, source: SyncSource, streams: readonly DeliveryStream[]) {
    this.#context = context;
    this.#source = source;
    this.#streams = streams.filter((stream) => stream.present);
    this.#packer = new ChunkPacker(context.connector);
    this.#delivery = new Delivery(context, this.#underWay, this.#read);
    this.#recovery = new Recovery(context, source, streams);
  }

  /** Raises DestinationFailure, LeaseLost, what storage raises, or the reason of an abort. */
  async work(): Promise<RunResult> {
    const held = await this.#recovery.settle(this.#read);
    try {
      for (const stream of this.#streams) await this.#readAccount(stream, held);
      const last = this.#packer.finish();
      if (last !== null) await this.#delivery.push(last, true);
    } finally {
      // Also when reading was cut off: the chunk under way is finished, so it is not left in doubt.
      await this.#delivery.drain();
    }
    return { ...this.soFar(), accounts: this.#accounts, failure: this.#failure(held) };
  }

  /** What was done, for a pass that did not come to its end: no cursor moves. */
  soFar(): Pick<RunResult, 'accounts' | 'read' | 'delivered'> {
    return {
      accounts: [],
      read: this.#read,
      delivered: this.#delivery.delivered + this.#recovery.delivered > 0,
    };
  }

  async #readAccount(stream: DeliveryStream, held: HeldRows): Promise<void> {
    const { clock, run, sync } = this.#context;
    const counts: ReadCounts = { processed: 0, skipped: 0 };
    const began = new Date(clock.now());
    let failure: ErrorCode | null = null;
    let hits = NO_HITS;
    try {
      const source = await this.#source.open(run.account_record, stream.account);
      const reader = new AccountReader(this.#context, stream, source, {
        underWay: this.#underWay,
        told: this.#told,
        held: held.get(stream.id) ?? NONE,
      });
      hits = reader.hits.counts;
      for await (const changes of reader.changes()) {
        this.#count(counts, reader.counts);
        await this.#pack(changes);
      }
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      failure = error.code;
      this.#failures.push(sourceFailure(failure, await this.#consentEnded(stream, failure)));
    }
    const settled = failure === null && !held.has(stream.id);
    this.#accounts.push({
      account: stream.account,
      stream: stream.id,
      failure,
      counts,
      from: sync.options.data_from,
      cursor: settled ? began : null,
      hits: settled ? hits : NO_HITS,
    });
  }

  async #consentEnded({ account }: DeliveryStream, failure: ErrorCode): Promise<boolean> {
    if (failure !== 'upstream_auth_failed') return false;
    return (await this.#source.consentEnded?.(this.#context.run.account_record, account)) ?? false;
  }

  async #pack(changes: readonly Change[]): Promise<void> {
    for (const change of changes) {
      const chunk = this.#packer.add(change);
      if (chunk !== null) {
        this.#context.reading.throwIfAborted();
        await this.#delivery.push(chunk, false);
      }
    }
  }

  #count(line: ReadCounts, seen: ReadCounts): void {
    this.#read.processed += seen.processed - line.processed;
    this.#read.skipped += seen.skipped - line.skipped;
    Object.assign(line, seen);
  }

  #failure(held: HeldRows): RunFailure | null {
    const telling = mostTelling(this.#failures);
    if (telling !== null) return { ...telling, destination: 'innocent' };
    if (held.size > 0) return { ...STILL_IN_DOUBT, destination: 'innocent' };
    if (this.#delivery.rejected === 0 || this.#delivery.accepted > 0) return null;
    throw new DestinationFailure('run_failed', 'The destination refused every row.', {
      outcome: 'refused',
      retryable: false,
    });
  }
}
