import type {
  HistoryState,
  ProviderAccountDetails,
  ProviderBalance,
} from '../../connectors/providers/provider-contract.ts';
import { type Money, moneyFromDecimal } from '../../vocabulary/money.ts';
import { UpstreamFailure } from '../../vocabulary/upstream-failures.ts';
import { type SignedBalance, signedBalance, storedSign } from './balance-sign.ts';
import type { CachedReads } from './cached-reads.ts';
import type { ProviderGatewayOptions } from './gateway-options.ts';
import type { CachedRead, GatewayAccount } from './gateway-types.ts';
import type { CacheEntry } from './memory-cache.ts';
import { readOf, type UpstreamCalls } from './upstream-calls.ts';

const MINUTE_MS = 60_000;
const BALANCE_KEY = 'balance';

/** The balance and the details of an account, cached for minutes, and what its provider says about its history. */
export class AccountReader {
  readonly #options: ProviderGatewayOptions;
  readonly #calls: UpstreamCalls;
  readonly #reads: CachedReads;

  constructor(options: ProviderGatewayOptions, calls: UpstreamCalls, reads: CachedReads) {
    this.#options = options;
    this.#calls = calls;
    this.#reads = reads;
  }

  /**
   * The balance, with its sign applied (docs/balance-signs.md). `live` asks the bank itself rather than using the
   * provider's copy. With caching off every read is live if the provider supports it, and allowed once in
   * LIMIT_LIVE_BALANCE_MINUTES (`balance_refresh_limited`).
   */
  async balance(
    account: GatewayAccount,
    asked: { readonly live?: boolean },
    signal: AbortSignal,
  ): Promise<CachedRead<SignedBalance>> {
    const { connection } = account;
    const able = this.#calls.capabilities(connection.provider).has('live_balance');
    const live = able && (asked.live === true || !connection.caching);
    const fetch = async (within: AbortSignal): Promise<CacheEntry> => {
      if (live && !connection.caching) await this.#takeLiveTurn(account);
      const value = await this.#calls.account(account, 'balance', within, (adapter, s) =>
        adapter.readBalance(connection.grant, account.upstreamId, { live }, s),
      );
      return { kind: 'balance', value: inCurrencyOf(account, value), observedAt: this.#now(), live };
    };
    const read = {
      account,
      key: BALANCE_KEY,
      ttl: 'balance_cache_minutes',
      live,
      open: balanceIn,
      fetch,
    } as const;
    const sent = await this.#reads.read(read, signal);
    const stored = storedSign(account, sent.value);
    if (stored !== account.balanceSign)
      await this.#options.balanceSigns?.note(connection.owner, account.id, stored);
    return signed(account, sent);
  }

  async details(account: GatewayAccount, signal: AbortSignal): Promise<CachedRead<ProviderAccountDetails>> {
    const { connection } = account;
    const fetch = async (within: AbortSignal): Promise<CacheEntry> => {
      const value = await this.#calls.account(account, 'details', within, (adapter, s) =>
        adapter.readDetails(connection.grant, account.upstreamId, s),
      );
      return { kind: 'details', value, observedAt: this.#now(), live: false };
    };
    const open = (entry: CacheEntry) => (entry.kind === 'details' ? entry.value : null);
    return this.#reads.read(
      { account, key: 'details', ttl: 'details_cache_minutes', live: false, open, fetch },
      signal,
    );
  }

  /** What `balance` would answer from the cache; null if nothing is cached. */
  cachedBalance(account: GatewayAccount): CachedRead<SignedBalance> | null {
    const sent = this.#reads.find(account, BALANCE_KEY, balanceIn);
    return sent === null ? null : signed(account, sent);
  }

  /**
   * What the provider says about the account's history. Never cached: what is read next depends on it. Raises
   * `not_supported` if it says nothing.
   */
  historyState(account: GatewayAccount, signal: AbortSignal): Promise<HistoryState> {
    const { grant } = account.connection;
    return this.#calls.account(account, 'history_state', signal, (adapter, s) =>
      adapter.readHistoryState(grant, account.upstreamId, s),
    );
  }

  /** With caching off, each balance would disturb the bank, so they are rationed (`balance_refresh_limited`). */
  async #takeLiveTurn(account: GatewayAccount): Promise<void> {
    const { turns, limits } = this.#options;
    const wait = await turns?.take(`live-balance ${account.id}`, limits.live_balance_minutes * MINUTE_MS);
    if (wait === undefined || wait <= 0) return;
    const failure = new UpstreamFailure(
      'live_balance_too_soon',
      'A live balance was requested a moment ago.',
      {
        retryAfterSeconds: Math.ceil(wait / 1000),
      },
    );
    throw await this.#calls.explain(readOf(account, 'balance'), failure);
  }

  #now(): number {
    return this.#options.clock.now();
  }
}

function balanceIn(entry: CacheEntry): ProviderBalance | null {
  return entry.kind === 'balance' ? entry.value : null;
}

function signed(account: GatewayAccount, read: CachedRead<ProviderBalance>): CachedRead<SignedBalance> {
  return { ...read, value: signedBalance(account, read.value) };
}

/** Completes a balance without a currency with that of the account. One with an unreadable currency has none. */
function inCurrencyOf(account: GatewayAccount, balance: ProviderBalance): ProviderBalance {
  if (balance.currency !== null || balance.unreadable?.field === 'currency') return balance;
  let { unreadable } = balance;
  const amount = (field: 'current' | 'available', money: Money | null, decimal: string | null) => {
    if (money !== null || decimal === null) return { money, decimal };
    try {
      return { money: moneyFromDecimal(decimal, account.currency), decimal };
    } catch {
      unreadable ??= { field, reason: 'out_of_range' };
      return { money: null, decimal: null };
    }
  };
  const current = amount('current', balance.current, balance.currentDecimal);
  const available = amount('available', balance.available, balance.availableDecimal);
  return {
    current: current.money,
    available: available.money,
    currentDecimal: current.decimal,
    availableDecimal: available.decimal,
    currency: account.currency,
    ...(unreadable === undefined ? {} : { unreadable }),
    ...(balance.positive === undefined ? {} : { positive: balance.positive }),
  };
}
