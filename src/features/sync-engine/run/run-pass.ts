import { inSpan } from '../../../platform/tracing.ts';
import type { DeliveryStream } from '../../../storage/delivery-streams.ts';
import type { ErrorCode } from '../../../vocabulary/error-codes.ts';
import type { OwnerId, RowId } from '../../../vocabulary/ids.ts';
import type { AttentionCode, RunFailureCode } from '../../../vocabulary/syncs.ts';
import type { ReadCounts } from '../compare/row-changes.ts';
import { finishDestination } from '../deliver/connector-calls.ts';
import type { AsideOutcome, RowsAside } from '../deliver/rejected-rows.ts';
import { watchedAccount } from '../read/row-watch.ts';
import { lostAccounts, readAccount, type SourceAccount, type SyncSource } from '../read/sync-source.ts';
import { ChunkedDelivery } from './chunked-delivery.ts';
import type { RunContext } from './run-context.ts';
import type { AccountConclusion, AccountLine, AccountResult, RunFailure, RunResult } from './run-ending.ts';
import { SnapshotDelivery } from './snapshot-delivery.ts';

/** What it means for the run and for the person that an account could not be read. */
interface SourceFailure {
  readonly code: RunFailureCode;
  readonly retryable: boolean;
  readonly attention: AttentionCode;
}

const SOURCE_FAILURES: Partial<Record<ErrorCode, SourceFailure>> = {
  upstream_auth_failed: { code: 'run_failed', retryable: false, attention: 'connection_lost' },
  account_unavailable: { code: 'run_failed', retryable: false, attention: 'account_unavailable' },
  upstream_bad_request: { code: 'run_failed', retryable: false, attention: 'run_failed' },
  not_supported: { code: 'run_failed', retryable: false, attention: 'run_failed' },
  upstream_failed: { code: 'run_failed', retryable: true, attention: 'data_invalid' },
  upstream_rate_limited: { code: 'rate_limited', retryable: true, attention: 'run_failed' },
  provider_wait: { code: 'rate_limited', retryable: true, attention: 'run_failed' },
  upstream_timeout: { code: 'timeout', retryable: true, attention: 'run_failed' },
};
const OTHER: SourceFailure = { code: 'run_failed', retryable: true, attention: 'run_failed' };

/** A person whose consent ended has to give a new one; a connection lost otherwise is a problem of the bank. */
const CONSENT_ENDED: SourceFailure = { code: 'run_failed', retryable: false, attention: 'consent_expired' };

/**
 * A single account's failure in the form that its run would report. `consentEnded`: the consent behind it expired or
 * was withdrawn.
 */
export function sourceFailure(code: ErrorCode, consentEnded: boolean): SourceFailure {
  return consentEnded ? CONSENT_ENDED : (SOURCE_FAILURES[code] ?? OTHER);
}

/**
 * The failure reported for a run in which several accounts failed: one that needs a person before one that is
 * temporary, and one with a known cause before one without.
 */
function mostTelling(failures: readonly SourceFailure[]): SourceFailure | null {
  const needsPerson = failures.filter((failure) => !failure.retryable);
  const pool = needsPerson.length > 0 ? needsPerson : failures;
  return pool.find((failure) => failure.attention !== 'run_failed') ?? pool[0] ?? null;
}

/** The result of each account in a pass, and the failure to report for the run. */
class AccountResults {
  readonly #source: SyncSource;
  readonly #owner: OwnerId;
  readonly #accounts: AccountResult[] = [];
  readonly #lines = new Map<RowId<'account'>, AccountLine>();
  readonly #aside = new Map<RowId<'account'>, RowsAside>();
  readonly #failures: SourceFailure[] = [];
  /** Of all accounts together, in one attempt. */
  readonly read: ReadCounts = { processed: 0, skipped: 0 };

  constructor(source: SyncSource, owner: OwnerId) {
    this.#source = source;
    this.#owner = owner;
  }

  get all(): readonly AccountResult[] {
    return this.#accounts;
  }

  get lines(): ReadonlyMap<RowId<'account'>, AccountLine> {
    return this.#lines;
  }

  /** Accounts that were read completely. */
  get succeeded(): readonly RowId<'account'>[] {
    return this.#accounts.filter(({ failure }) => failure === null).map(({ account }) => account);
  }

  get failure(): SourceFailure | null {
    return mostTelling(this.#failures);
  }

  /** Starts an account. Returns its own counts, for `count`. */
  begin(account: RowId<'account'>): ReadCounts {
    const counts: ReadCounts = { processed: 0, skipped: 0 };
    this.#lines.set(account, { failure: null, counts });
    return counts;
  }

  /** Rows that could not be read, by account. */
  get aside(): ReadonlyMap<RowId<'account'>, AsideOutcome> {
    return new Map([...this.#aside].map(([account, rows]) => [account, rows.outcome]));
  }

  /** Makes sure that rows of the account that were set aside are reported, however its reading ends. */
  watch(account: RowId<'account'>, rows: RowsAside): void {
    this.#aside.set(account, rows);
  }

  add(result: AccountResult): void {
    this.#accounts.push(result);
  }

  /** Adds what was read of an account since it was last counted to the sum, and to the account's own counts. */
  count(counts: ReadCounts, seen: ReadCounts): void {
    this.read.processed += seen.processed - counts.processed;
    this.read.skipped += seen.skipped - counts.skipped;
    Object.assign(counts, seen);
  }

  async failed(account: RowId<'account'>, failure: ErrorCode): Promise<void> {
    const line = this.#lines.get(account);
    if (line !== undefined) this.#lines.set(account, { ...line, failure });
    this.#failures.push(sourceFailure(failure, await this.#consentEnded(account, failure)));
  }

  /** An account that was read and has since gone must not be reported as succeeded. */
  async noteLost(): Promise<void> {
    const lost = await lostAccounts(this.#source, this.#owner, this.succeeded);
    for (const [at, result] of this.#accounts.entries()) {
      const failure = lost.get(result.account);
      if (failure === undefined) continue;
      this.#accounts[at] = { ...result, failure, cursor: null, reading: null, over: [], hits: new Map() };
      await this.failed(result.account, failure);
    }
  }

  async #consentEnded(account: RowId<'account'>, failure: ErrorCode): Promise<boolean> {
    if (failure !== 'upstream_auth_failed') return false;
    return (await this.#source.consentEnded?.(this.#owner, account)) ?? false;
  }
}

/** For an account that could not be read completely: its cursor does not move. */
const NOTHING_CONCLUDED: AccountConclusion = {
  incomplete: false,
  cursor: null,
  reading: null,
  over: [],
  hits: new Map(),
};

/**
 * One pass over a sync: resolve what is unconfirmed, then read, compare and deliver account by account. An account that
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
    await inSpan('recover', {}, () => this.#delivery.begin());
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

  /** What was done, for a pass that did not finish: no cursor moves. */
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
    const { watch } = this.#context;
    const account = await this.#delivery.open(stream, watchedAccount(source, stream, watch), began);
    const { diff } = account;
    this.#results.watch(stream.account, diff.aside);
    for await (const changes of diff.changes()) {
      this.#results.count(counts, diff.counts);
      watch?.found(stream, changes);
      await account.take(changes);
    }
    return account.conclude();
  }

  #addPassed(stream: DeliveryStream, processed: number): void {
    const counts = this.#results.begin(stream.account);
    this.#results.count(counts, { processed, skipped: 0 });
    // The time of the read is not recorded: certainly after the run began.
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

  /** Which rows were refused is only known once everything is delivered. */
  #withRefused(result: AccountResult): AccountResult {
    if (result.failure !== null) return result;
    return { ...result, over: [...result.over, ...this.#delivery.over(result.account)] };
  }

  #failure(): RunFailure | null {
    const telling = this.#results.failure;
    return telling === null ? this.#delivery.failure() : { ...telling, fault: 'none' };
  }
}
