import type { ErrorCode } from '../../../vocabulary/error-codes.ts';
import type { RowId } from '../../../vocabulary/ids.ts';
import type { ReadCounts } from '../compare/change.ts';
import { lostAccounts } from '../read/read-account.ts';
import type { AsideOutcome, RowsAside } from '../read/rows-aside.ts';
import { mostTelling, type SourceFailure, sourceFailure } from '../read/source-failures.ts';
import type { SyncSource } from '../read/sync-source.ts';
import type { AccountLine, AccountResult } from './run-result.ts';

const NO_HITS: AccountResult['hits'] = new Map();

/** What became of each account in a pass, and which failure speaks for the run. */
export class AccountResults {
  readonly #source: SyncSource;
  readonly #owner: RowId<'account_record'>;
  readonly #accounts: AccountResult[] = [];
  readonly #lines = new Map<RowId<'account'>, AccountLine>();
  readonly #aside = new Map<RowId<'account'>, RowsAside>();
  readonly #failures: SourceFailure[] = [];
  /** Of all accounts together, in one attempt. */
  readonly read: ReadCounts = { processed: 0, skipped: 0 };

  constructor(source: SyncSource, owner: RowId<'account_record'>) {
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
