import type { RejectedRowKey } from '../../../storage/rejected-rows.ts';
import type { ReadingChange } from '../../../storage/stream-readings.ts';
import type { ErrorCode } from '../../../vocabulary/error-codes.ts';
import type { OwnerId, RowId } from '../../../vocabulary/ids.ts';
import type { LocalDate } from '../../../vocabulary/moments.ts';
import type { AttentionCode, RunFailureCode } from '../../../vocabulary/syncs.ts';
import type { ReadCounts } from '../compare/row-changes.ts';
import type { AsideOutcome, RefusedOutcome, RowsAside } from '../deliver/rejected-rows.ts';
import { lostAccounts, type SyncSource } from '../read/sync-source.ts';

/** What a run says of one account, however it ends. */
export interface AccountLine {
  readonly failure: ErrorCode | null;
  readonly counts: ReadCounts;
}

/** What became of one account. */
export interface AccountResult extends AccountLine {
  readonly account: RowId<'account'>;
  readonly stream: number;
  /** Whether the provider says that more of the account's history is on its way. */
  readonly incomplete: boolean;
  /** `options.data_from` when the attempt began: nothing from before that day was read. */
  readonly from: LocalDate;
  /** Where the mappings of the attempt put the account's rows (RowPlaces). */
  readonly places: string;
  /** Up to where everything is delivered; null leaves the cursor where it is. */
  readonly cursor: Date | null;
  /** What is remembered of reading the account; null: nothing new. */
  readonly reading: ReadingChange | null;
  /** Rows remembered as rejected that are over. */
  readonly over: readonly RejectedRowKey[];
  /** How often rules skipped a row of the account that was not read before. */
  readonly hits: ReadonlyMap<RowId<'rule'>, number>;
}

/** What follows from an account that was read to its end. */
export type AccountConclusion = Pick<AccountResult, 'incomplete' | 'cursor' | 'reading' | 'over' | 'hits'>;

export interface RunFailure {
  readonly code: RunFailureCode;
  readonly retryable: boolean;
  /** null: the code's own (RUN_FAILURES). */
  readonly attention: AttentionCode | null;
  /** The destination's part in it: none, it failed, or it said that it is gone. */
  readonly fault: 'none' | 'failed' | 'gone';
  /** For how long the destination asked to be left alone; absent where it did not. */
  readonly retryAfterSeconds?: number;
}

export interface RunResult {
  readonly failure: RunFailure | null;
  /** Empty where the run was ended before its end. */
  readonly accounts: readonly AccountResult[];
  /** Every account whose turn came. */
  readonly lines: ReadonlyMap<RowId<'account'>, AccountLine>;
  readonly read: ReadCounts;
  /** Rows that could not be read, of every account whose turn came. */
  readonly aside: ReadonlyMap<RowId<'account'>, AsideOutcome>;
  readonly refused: RefusedOutcome;
  /** Whether the destination took any chunk. */
  readonly delivered: boolean;
  /** Streams whose sweep began and did not come to its end: the next run gives way to the usual days. */
  readonly unswept: readonly number[];
  /** Which of the waits after failures comes before the next run though this one did not fail; null: the schedule's. */
  readonly again: number | null;
}

/** What an account that could not be read means for its run and for the person. */
export interface SourceFailure {
  readonly code: RunFailureCode;
  readonly retryable: boolean;
  readonly attention: AttentionCode;
}

const TABLE: Partial<Record<ErrorCode, SourceFailure>> = {
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

/** Whose consent ended has to give a new one; a connection that is lost without that is the bank's doing. */
const CONSENT_ENDED: SourceFailure = { code: 'run_failed', retryable: false, attention: 'consent_expired' };

/** A single account's failure as its run would report it. `consentEnded`: the consent behind it expired or was withdrawn. */
export function sourceFailure(code: ErrorCode, consentEnded: boolean): SourceFailure {
  return consentEnded ? CONSENT_ENDED : (TABLE[code] ?? OTHER);
}

/**
 * The failure that speaks for a run in which several accounts failed: one that needs a person before one that passes
 * by itself, and what is known in detail before what is not.
 */
function mostTelling(failures: readonly SourceFailure[]): SourceFailure | null {
  const needsPerson = failures.filter((failure) => !failure.retryable);
  const pool = needsPerson.length > 0 ? needsPerson : failures;
  return pool.find((failure) => failure.attention !== 'run_failed') ?? pool[0] ?? null;
}

const NO_HITS: AccountResult['hits'] = new Map();

/** What became of each account in a pass, and which failure speaks for the run. */
export class AccountResults {
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

  /** Accounts that were read to their end. */
  get succeeded(): readonly RowId<'account'>[] {
    return this.#accounts.filter(({ failure }) => failure === null).map(({ account }) => account);
  }

  get failure(): SourceFailure | null {
    return mostTelling(this.#failures);
  }

  /** Begins an account. Returns its own counts, for `count`. */
  begin(account: RowId<'account'>): ReadCounts {
    const counts: ReadCounts = { processed: 0, skipped: 0 };
    this.#lines.set(account, { failure: null, counts });
    return counts;
  }

  /** Rows that could not be read, by account. */
  get aside(): ReadonlyMap<RowId<'account'>, AsideOutcome> {
    return new Map([...this.#aside].map(([account, rows]) => [account, rows.outcome]));
  }

  /** Has the rows of the account that are set aside reported, however its reading ends. */
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

  /** An account that was read and has gone since must not be reported as succeeded. */
  async noteLost(): Promise<void> {
    const lost = await lostAccounts(this.#source, this.#owner, this.succeeded);
    for (const [at, result] of this.#accounts.entries()) {
      const failure = lost.get(result.account);
      if (failure === undefined) continue;
      this.#accounts[at] = { ...result, failure, cursor: null, reading: null, over: [], hits: NO_HITS };
      await this.failed(result.account, failure);
    }
  }

  async #consentEnded(account: RowId<'account'>, failure: ErrorCode): Promise<boolean> {
    if (failure !== 'upstream_auth_failed') return false;
    return (await this.#source.consentEnded?.(this.#owner, account)) ?? false;
  }
}
