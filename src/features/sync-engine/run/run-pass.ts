import type { DeliveryStream } from '../../../storage/delivery-streams.ts';
import { finishDestination } from '../deliver/connector-calls.ts';
import { readAccount, type SourceAccount, type SyncSource } from '../read/sync-source.ts';
import { ChunkedDelivery } from './chunked-delivery.ts';
import type { RunContext } from './run-context.ts';
import {
  type AccountConclusion,
  type AccountResult,
  AccountResults,
  type RunFailure,
  type RunResult,
} from './run-result.ts';
import { SnapshotDelivery } from './snapshot-delivery.ts';

/** Of an account that could not be read to its end: its cursor stays. */
const NOTHING_CONCLUDED: AccountConclusion = {
  incomplete: false,
  cursor: null,
  reading: null,
  over: [],
  hits: new Map(),
};

/**
 * One pass over a sync: resolve what is unconfirmed, then account by account read, compare and deliver. An account that
 * cannot be read keeps its cursor and does not stop the others; a destination that fails ends the pass.
 */
export class RunPass {
  readonly #context: RunContext;
  readonly #source: SyncSource;
  readonly #streams: readonly DeliveryStream[];
  readonly #results: AccountResults;
  readonly #delivery: ChunkedDelivery | SnapshotDelivery;

  constructor(context: RunContext, source: SyncSource, streams: readonly DeliveryStream[]) {
    this.#context = context;
    this.#source = source;
    this.#streams = streams.filter((stream) => stream.present);
    this.#results = new AccountResults(source, context.run.account_record);
    const { read } = this.#results;
    this.#delivery =
      context.sync.type === 'holdings'
        ? new SnapshotDelivery(context, read)
        : new ChunkedDelivery(context, source, streams, read);
  }

  /** Raises DestinationFailure, LeaseLost, what storage raises, or the reason of an abort. */
  async work(): Promise<RunResult> {
    await this.#delivery.begin();
    try {
      for (const stream of this.#streams) {
        const rows = this.#delivery.passOver(stream.account);
        if (rows === null) await this.#account(stream);
        else this.#addPassed(stream, rows);
      }
      await this.#delivery.end();
    } finally {
      await this.#delivery.drain();
    }
    const { delivered } = this.#delivery.soFar;
    const done = { read: this.#results.succeeded, delivered };
    await finishDestination(this.#context, this.#source, this.#streams, done);
    await this.#delivery.prune();
    await this.#results.noteLost();
    const accounts = this.#results.all.map((result) => this.#withRefused(result));
    return { ...this.soFar(), accounts, failure: this.#failure() };
  }

  /** What was done, for a pass that did not come to its end: no cursor moves. */
  soFar(): Omit<RunResult, 'failure'> {
    const { lines, read, aside } = this.#results;
    return { ...this.#delivery.soFar, accounts: [], lines, read, aside };
  }

  async #account(stream: DeliveryStream): Promise<void> {
    const counts = this.#results.begin(stream.account);
    const began = new Date(this.#context.clock.now());
    const unplaced = this.#context.unplaced.get(stream.account);
    const read =
      unplaced === undefined
        ? await readAccount(this.#context, this.#source, stream, (opened) =>
            this.#deliver(stream, opened, { counts, began }),
          )
        : { failure: unplaced };
    const { failure } = read;
    if (failure !== null) await this.#results.failed(stream.account, failure);
    this.#add(stream, { failure, counts, ...(read.failure === null ? read.result : NOTHING_CONCLUDED) });
  }

  async #deliver(
    stream: DeliveryStream,
    source: SourceAccount,
    { counts, began }: Pick<AccountResult, 'counts'> & { readonly began: Date },
  ): Promise<AccountConclusion> {
    const account = await this.#delivery.open(stream, source, began);
    const { diff } = account;
    this.#results.watch(stream.account, diff.aside);
    for await (const changes of diff.changes()) {
      this.#results.count(counts, diff.counts);
      await account.take(changes);
    }
    return account.conclude();
  }

  #addPassed(stream: DeliveryStream, processed: number): void {
    const counts = this.#results.begin(stream.account);
    this.#results.count(counts, { processed, skipped: 0 });
    // When it was read is not recorded: certainly after the run began.
    const cursor = this.#context.run.started_at;
    this.#add(stream, { failure: null, counts, ...NOTHING_CONCLUDED, cursor });
  }

  #add(stream: DeliveryStream, result: Pick<AccountResult, 'failure' | 'counts'> & AccountConclusion): void {
    this.#results.add({
      account: stream.account,
      stream: stream.id,
      from: this.#context.sync.options.data_from,
      places: this.#context.places.summary(stream.account),
      ...result,
    });
  }

  /** Only once everything is delivered is it known which rows were refused. */
  #withRefused(result: AccountResult): AccountResult {
    if (result.failure !== null) return result;
    return { ...result, over: [...result.over, ...this.#delivery.over(result.account)] };
  }

  #failure(): RunFailure | null {
    const telling = this.#results.failure;
    return telling === null ? this.#delivery.failure() : { ...telling, fault: 'none' };
  }
}
