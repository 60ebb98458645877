import type {
  HistoryState,
  ProviderAccountDetails,
  ProviderBalance,
} from '../../connectors/providers/provider-contract.ts';
import { sharedIdOf, withSharedId } from '../../platform/shared-row-ids.ts';
import type { LimitName } from '../../vocabulary/limits.ts';
import { type Money, moneyFromDecimal } from '../../vocabulary/money.ts';
import { newestFirst, type Transaction } from '../../vocabulary/transactions.ts';
import { UpstreamFailure } from '../../vocabulary/upstream-failures.ts';
import { type SignedBalance, signedBalance, storedSign } from './balance-sign.ts';
import type { CacheEntry, CacheKey } from './gateway-cache.ts';
import type { ProviderGatewayOptions } from './gateway-options.ts';
import {
  type AccountReference,
  type CachedRead,
  type GatewayAccount,
  type MostPages,
  SetAsideList,
  type StreamWindow,
  type TransactionRows,
  type TransactionWindow,
} from './gateway-types.ts';
import { JoinedReads } from './joined-reads.ts';
import { PageCap } from './paged-calls.ts';
import { TransactionStream } from './transaction-stream.ts';
import { integrationOf, type UpstreamCalls } from './upstream-calls.ts';

const MINUTE_MS = 60_000;
const BALANCE_KEY = 'balance';

interface Read<T> {
  readonly account: GatewayAccount;
  /** Everything that shapes the answer. */
  readonly key: string;
  /** The key it is kept under where the answer itself decides; `key` where it is left out. */
  readonly keep?: (entry: CacheEntry) => string;
  readonly ttl: LimitName;
  /** Asks the bank itself; only a cached answer that did so, and lately, may stand in for it. */
  readonly live: boolean;
  /** The value inside an entry of the right kind. */
  readonly open: (entry: CacheEntry) => T | null;
  readonly fetch: (signal: AbortSignal) => Promise<CacheEntry>;
}

/** Reads of one account: cached for minutes, shared by those who ask together, within the deadline of a read. */
export class CachedAccountReader {
  readonly #options: ProviderGatewayOptions;
  readonly #calls: UpstreamCalls;
  readonly #stream: TransactionStream;
  readonly #joined = new JoinedReads<CacheEntry>();

  constructor(options: ProviderGatewayOptions, calls: UpstreamCalls) {
    this.#options = options;
    this.#calls = calls;
    this.#stream = new TransactionStream(options, calls);
  }

  /**
   * The balance, by the sign it has (docs/balance-signs.md). `live` asks the bank itself rather than what the provider
   * holds. With caching off every read of a provider that can is live, and comes once in LIMIT_LIVE_BALANCE_MINUTES
   * (`balance_refresh_limited`).
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
    const sent = await this.#read(read, signal);
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
    return this.#read(
      { account, key: 'details', ttl: 'details_cache_minutes', live: false, open, fetch },
      signal,
    );
  }

  /**
   * The window up to LIMIT_TRANSACTION_ROWS and to its last page that is read, newest first. A read that a cap did not end
   * is that of the whole window, and is cached as such.
   */
  async transactions(
    account: GatewayAccount,
    window: TransactionWindow,
    signal: AbortSignal,
    pages: MostPages = null,
  ): Promise<CachedRead<TransactionRows>> {
    const whole = windowKey(account, window);
    const known = pages === null ? null : await this.cachedTransactions(account, window);
    if (known !== null) return known;
    const fetch = async (within: AbortSignal): Promise<CacheEntry> => {
      const integration = integrationOf(account.connection);
      const value = await this.#calls.explained(integration, within, () =>
        this.#calls.within(within, (s) => this.#collect(account, window, pages, s)),
      );
      return { kind: 'transactions', value, observedAt: this.#now(), live: false };
    };
    const key = pages === null ? whole : cappedKey(whole, pages);
    const keep = (entry: CacheEntry): string => (rowsIn(entry)?.capped === true ? key : whole);
    return this.#read(
      { account, key, keep, ttl: 'transactions_cache_minutes', live: false, open: rowsIn, fetch },
      signal,
    );
  }

  /**
   * What `transactions` would answer from memory, or null when it would have to ask: what is cached of the whole window;
   * else, where pages are given, of so many.
   */
  async cachedTransactions(
    account: AccountReference,
    window: TransactionWindow,
    pages: MostPages = null,
  ): Promise<CachedRead<TransactionRows> | null> {
    const whole = windowKey(account, window);
    const known = await this.#cached(account, whole, rowsIn);
    return known !== null || pages === null ? known : this.#cached(account, cappedKey(whole, pages), rowsIn);
  }

  /** What `balance` would answer from memory, whatever it may be asked next; null where nothing is cached. */
  async cachedBalance(account: GatewayAccount): Promise<CachedRead<SignedBalance> | null> {
    const sent = await this.#cached(account, BALANCE_KEY, balanceIn);
    return sent === null ? null : signed(account, sent);
  }

  /** Every row of the window, a page at a time, each row once, in the memory of a page. Never cached. */
  stream(account: GatewayAccount, window: StreamWindow, signal: AbortSignal): AsyncGenerator<Transaction[]> {
    return this.#stream.pages(account, window, signal);
  }

  /**
   * What the provider says of the account's history. Never cached: what is read next depends on it. Raises `not_supported`
   * where it says nothing.
   */
  historyState(account: GatewayAccount, signal: AbortSignal): Promise<HistoryState> {
    const { grant } = account.connection;
    return this.#calls.account(account, 'history_state', signal, (adapter, s) =>
      adapter.readHistoryState(grant, account.upstreamId, s),
    );
  }

  async #cached<T>(
    account: AccountReference,
    key: string,
    open: (entry: CacheEntry) => T | null,
  ): Promise<CachedRead<T> | null> {
    if (!account.connection.caching) return null;
    const { entry } = await this.#options.cache.look(placeOf(account, key));
    const value = entry === null ? null : open(entry);
    return entry === null || value === null ? null : { value, cache: 'HIT', observedAt: entry.observedAt };
  }

  async #read<T>(read: Read<T>, signal: AbortSignal): Promise<CachedRead<T>> {
    const { cache, limits } = this.#options;
    const { connection } = read.account;
    const at = placeOf(read.account, read.key);
    if (!connection.caching) {
      const entry = await this.#joined.run(`${at.key} uncached`, signal, read.fetch);
      return { value: opened(read, entry), cache: 'BYPASS', observedAt: entry.observedAt };
    }
    const { entry, generation } = await cache.look(at);
    signal.throwIfAborted();
    const value = entry !== null && this.#isGoodEnough(read, entry) ? read.open(entry) : null;
    if (entry !== null && value !== null) return { value, cache: 'HIT', observedAt: entry.observedAt };
    // The generation keeps a read that begins after a purge from joining one that began before it.
    const flight = `${at.key} ${read.live ? 'live' : 'held'} ${generation}`;
    const fetched = await this.#joined.run(flight, signal, async (within) => {
      const answer = await read.fetch(within);
      await cache.set({
        at: read.keep === undefined ? at : placeOf(read.account, read.keep(answer)),
        owner: connection.owner,
        entry: answer,
        ttlMs: limits[read.ttl] * MINUTE_MS,
        generation,
      });
      return answer;
    });
    return { value: opened(read, fetched), cache: 'MISS', observedAt: fetched.observedAt };
  }

  #isGoodEnough(read: Read<unknown>, entry: CacheEntry): boolean {
    if (!read.live) return true;
    const age = this.#now() - entry.observedAt;
    return entry.live && age < this.#options.limits.live_balance_minutes * MINUTE_MS;
  }

  async #collect(
    account: GatewayAccount,
    window: TransactionWindow,
    pages: MostPages,
    signal: AbortSignal,
  ): Promise<TransactionRows> {
    const ceiling = this.#options.limits.transaction_rows;
    const rows: Transaction[] = [];
    let isCapped = false;
    const onCapped = (): void => {
      isCapped = true;
    };
    const capped = pages === null ? null : { cap: new PageCap(pages), onCapped };
    const aside = new SetAsideList();
    const { from, to, includePending } = window;
    const asked = { from, to, includePending, since: null, setAside: aside.add };
    for await (const page of this.#stream.rawPages(account, asked, signal, capped)) {
      for (const row of page) rows.push(row);
      if (rows.length > ceiling) break;
    }
    const truncated = rows.length > ceiling;
    // The first of several rows under one id was read before the others showed that it is shared.
    const shared = new Set(rows.flatMap(({ id }) => sharedIdOf(id) ?? []));
    const ordered = newestFirst(shared.size === 0 ? rows : rows.map((row) => withSharedId(row, shared)));
    const kept = truncated ? ordered.slice(0, ceiling) : ordered;
    const value = { rows: kept, truncated, setAside: aside.value };
    return isCapped ? { ...value, capped: true } : value;
  }

  /** With caching off, each balance would disturb the bank, so they are rationed (`balance_refresh_limited`). */
  async #takeLiveTurn(account: GatewayAccount): Promise<void> {
    const { cache, limits } = this.#options;
    const wait = await cache.takeTurn(`live-balance ${account.id}`, limits.live_balance_minutes * MINUTE_MS);
    if (wait <= 0) return;
    const { connection } = account;
    const failure = new UpstreamFailure(
      'live_balance_too_soon',
      'A live balance was requested a moment ago.',
      {
        retryAfterSeconds: Math.ceil(wait / 1000),
      },
    );
    throw await this.#calls.explain(integrationOf(connection), failure);
  }

  #now(): number {
    return this.#options.clock.now();
  }
}

function placeOf(account: AccountReference, key: string): CacheKey {
  return { connection: account.connection.id, key: `${account.id} ${key}` };
}

function windowKey(account: AccountReference, { from, to, includePending }: TransactionWindow): string {
  return `transactions ${account.timezone} ${from} ${to} ${includePending}`;
}

function balanceIn(entry: CacheEntry): ProviderBalance | null {
  return entry.kind === 'balance' ? entry.value : null;
}

function signed(account: GatewayAccount, read: CachedRead<ProviderBalance>): CachedRead<SignedBalance> {
  return { ...read, value: signedBalance(account, read.value) };
}

/** What is cached of a read that its cap ended. */
function cappedKey(whole: string, pages: number): string {
  return `${whole} ${pages} pages`;
}

function rowsIn(entry: CacheEntry): TransactionRows | null {
  return entry.kind === 'transactions' ? entry.value : null;
}

function opened<T>(read: Read<T>, entry: CacheEntry): T {
  const value = read.open(entry);
  if (value === null) throw new TypeError('a read returned an entry of another kind');
  return value;
}

/** Completes a balance that names no currency with that of the account. One whose currency cannot be read has none. */
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
