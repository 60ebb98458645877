import type { Clock } from '../../platform/clock.ts';
import type { Account } from '../../storage/accounts.ts';
import type { Connection } from '../../storage/connections.ts';
import type { ErrorCode } from '../../vocabulary/error-codes.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { PROVIDER_IDENTIFIERS, PROVIDERS } from '../../vocabulary/provider-kinds.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import type { Transaction } from '../../vocabulary/transactions.ts';
import type { Accounts, ResolvedAccount, UnreadableAccount } from '../linking/accounts.ts';
import type { AccountReader } from '../provider-gateway/account-reader.ts';
import type { SignedBalance } from '../provider-gateway/balance-sign.ts';
import type { CachedRead } from '../provider-gateway/gateway-types.ts';
import type { TransactionReader } from '../provider-gateway/transaction-reader.ts';
import {
  type AskedPeriod,
  type EpochWindow,
  endsBeforeHistory,
  epochWindow,
  isInPeriod,
} from './epoch-window.ts';
import { AT_MOST, ReadsAtOnce, SharedDeadline } from './reads-at-once.ts';

/** An account may go between the list and what opens it; the next list is without it. */
const LISTINGS = 3;
const BANKING = PROVIDER_IDENTIFIERS.filter((name) => PROVIDERS[name].category === 'banking');

export interface AccountSetQuery extends AskedPeriod {
  readonly includePending: boolean;
  readonly balancesOnly: boolean;
  /** Only these of the owner's accounts; null for all. An id that is not the owner's names nothing. */
  readonly accounts: ReadonlySet<RowId<'account'>> | null;
}

/** What was read of one account. */
export interface AccountReading {
  readonly account: Account;
  readonly connection: Connection;
  /** Null if it could not be read, or if only the cache was used and has none. */
  readonly balance: CachedRead<SignedBalance> | null;
  /** Newest first. */
  readonly rows: readonly Transaction[];
  /** Whether the oldest rows of the window are missing, because there are more than LIMIT_BRIDGE_ROWS. */
  readonly truncated: boolean;
  /** How many rows of the window could not be read and are missing. */
  readonly setAside: number;
  /** Why a part of it is missing; null if it is whole. */
  readonly failure: ErrorCode | null;
}

export interface AccountSet {
  /** The owner's banking accounts, oldest first, including those that were not requested. */
  readonly all: readonly Account[];
  /** Whether there are more than LIMIT_BRIDGE_ACCOUNTS, of which the newest are missing. */
  readonly cut: boolean;
  /** One for each requested account, in the order of `all`. Must be read completely, or ended by `return`. */
  readonly readings: AsyncGenerator<AccountReading>;
}

export interface AccountSetsDependencies {
  readonly accounts: Pick<Accounts, 'atProviders' | 'resolveAll'>;
  readonly gateway: {
    readonly accounts: Pick<AccountReader, 'balance' | 'cachedBalance'>;
    readonly transactions: Pick<TransactionReader, 'list'>;
  };
  readonly clock: Clock;
  readonly limits: Limits;
}

/** Balances and transactions of many banking accounts in one answer (docs/simplefin.md). */
export class AccountSets {
  readonly #deps: AccountSetsDependencies;

  constructor(deps: AccountSetsDependencies) {
    this.#deps = deps;
  }

  /**
   * The owner's banking accounts with what can be read of each; one that cannot be read fails none of the others. They
   * are read a few at a time, and all together get the deadline of one read. No more of them than are read at once wait
   * in memory for the caller to take them.
   */
  async read(owner: OwnerId, query: AccountSetQuery, signal: AbortSignal): Promise<AccountSet> {
    const { resolved, ...listed } = await this.#listed(owner, query.accounts);
    return { ...listed, readings: this.#inOrder(resolved, query, signal) };
  }

  /**
   * Whether the query is answered from the cache alone, and without transactions, because no history reaches so far.
   */
  isBeforeHistory(query: AccountSetQuery): boolean {
    const { clock, limits } = this.#deps;
    return !query.balancesOnly && endsBeforeHistory(query, clock.now(), limits);
  }

  /**
   * The accounts, and those that were asked for with what opens them. Raises `resource_missing` if they never hold
   * still.
   */
  async #listed(
    owner: OwnerId,
    wanted: AccountSetQuery['accounts'],
    attemptsLeft = LISTINGS - 1,
  ): Promise<Omit<AccountSet, 'readings'> & { resolved: (ResolvedAccount | UnreadableAccount)[] }> {
    const { accounts, limits } = this.#deps;
    const most = limits.bridge_accounts;
    const found = await accounts.atProviders(owner, BANKING, most + 1);
    const all = found.slice(0, most);
    const ids = all.flatMap(({ id }) => (wanted === null || wanted.has(id) ? [id] : []));
    try {
      const resolved = await accounts.resolveAll(owner, ids, 'account', () => undefined);
      return { all, cut: found.length > most, resolved };
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'resource_missing' || attemptsLeft === 0)
        throw error;
      return this.#listed(owner, wanted, attemptsLeft - 1);
    }
  }

  async *#inOrder(
    found: readonly (ResolvedAccount | UnreadableAccount)[],
    query: AccountSetQuery,
    signal: AbortSignal,
  ): AsyncGenerator<AccountReading> {
    const room = new ReadsAtOnce(this.#deps, found.length);
    const deadline = new SharedDeadline(this.#deps, signal);
    const ended = new AbortController();
    const within = AbortSignal.any([deadline.signal, ended.signal]);
    const begun: Promise<AccountReading>[] = [];
    const { clock } = this.#deps;
    let untaken = 0;
    try {
      for (const [at, one] of found.entries()) {
        this.#refuseSlow(deadline.signal, untaken);
        begun.push(handled(room.run(() => this.#reading(one, query, { signal, within }))));
        if (begun.length < AT_MOST && at < found.length - 1) continue;
        const [first] = begun.splice(0, 1);
        if (first === undefined) continue;
        const reading = await first;
        const given = clock.now();
        yield reading;
        untaken += clock.now() - given;
      }
      for (const reading of begun) yield await reading;
    } finally {
      ended.abort();
      deadline.end();
    }
  }

  /**
   * Where time is up because the caller took it, no bank is to blame for what was not begun. Raises `upstream_timeout`.
   * @param untaken milliseconds in which readings waited for the caller
   */
  #refuseSlow(deadline: AbortSignal, untaken: number): void {
    if (!deadline.aborted || untaken < this.#deps.limits.read_deadline_ms / 2) return;
    throw new ServiceError('upstream_timeout', {
      message: 'The answer was taken too slowly; ask for fewer accounts or days.',
    });
  }

  async #reading(
    found: ResolvedAccount | UnreadableAccount,
    query: AccountSetQuery,
    signals: Signals,
  ): Promise<AccountReading> {
    const { account, connection } = found;
    const nothing = { account, connection, balance: null, rows: [], truncated: false, setAside: 0 } as const;
    if ('error' in found) return { ...nothing, failure: expected(found.error).code };
    const window = this.#window(found, query);
    if (window.kind === 'before_history') {
      const balance = this.#deps.gateway.accounts.cachedBalance(found.gateway);
      return { ...nothing, balance, failure: null };
    }
    const [balance, list] = await Promise.all([
      outcome(this.#deps.gateway.accounts.balance(found.gateway, {}, signals.within), signals),
      window.kind === 'days' ? outcome(this.#rows(found, query, window, signals.within), signals) : EMPTY,
    ]);
    return { ...nothing, balance: balance.value, ...list.value, failure: balance.failure ?? list.failure };
  }

  #window({ gateway }: ResolvedAccount, query: AccountSetQuery): EpochWindow {
    const { clock, limits } = this.#deps;
    if (query.balancesOnly) return { kind: 'empty' };
    return epochWindow(query, { now: clock.now(), timezone: gateway.timezone }, limits);
  }

  async #rows(
    { gateway: account }: ResolvedAccount,
    { includePending }: AccountSetQuery,
    { days, from, until }: Extract<EpochWindow, { kind: 'days' }>,
    signal: AbortSignal,
  ): Promise<Pick<AccountReading, 'rows' | 'truncated' | 'setAside'>> {
    const { gateway, limits, clock } = this.#deps;
    const now = clock.now();
    const { timezone } = account;
    const { value } = await gateway.transactions.list(account, { ...days, includePending }, signal);
    const kept = value.rows.filter((row) => isInPeriod(row, { from, until }, { now, timezone }));
    const most = limits.bridge_rows;
    const truncated = value.truncated || kept.length > most;
    return { rows: kept.slice(0, most), truncated, setAside: value.setAside.count };
  }
}

interface Signals {
  /** Aborts when the caller leaves. */
  readonly signal: AbortSignal;
  /** Also when time is up. */
  readonly within: AbortSignal;
}

interface Outcome<T> {
  readonly value: T | null;
  readonly failure: ErrorCode | null;
}

const EMPTY: Outcome<never> = { value: null, failure: null };

/** What a read came to. Raises a fault of our own, and the caller's leaving. */
async function outcome<T>(read: Promise<T>, { signal }: Signals): Promise<Outcome<T>> {
  try {
    return { value: await read, failure: null };
  } catch (error) {
    if (signal.aborted || !(error instanceof ServiceError)) throw error;
    return { value: null, failure: expected(error).code };
  }
}

function expected(error: ServiceError): ServiceError {
  if (error.code === 'internal_error') throw error;
  return error;
}

/** A reading that fails before anyone waits for it fails its readers, and is no unhandled rejection. */
function handled<T>(reading: Promise<T>): Promise<T> {
  reading.catch(() => undefined);
  return reading;
}
