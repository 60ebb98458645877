import type {
  ProviderAccountDetails,
  ProviderBalance,
} from '../../connectors/providers/provider-contract.ts';
import type { Clock } from '../../platform/clock.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import type { LimitName, Limits } from '../../vocabulary/limits.ts';
import type { AccountReference, CachedRead, GatewayAccount, TransactionRows } from './gateway-types.ts';

interface CachedKinds {
  readonly balance: ProviderBalance;
  readonly details: ProviderAccountDetails;
  readonly transactions: TransactionRows;
}

export type CachedKind = keyof CachedKinds;

/**
 * What is cached of one read: plain data that survives JSON. `observedAt`: when the provider answered, epoch ms.
 * `live`: whether the bank itself was asked.
 */
export type CacheEntry = {
  readonly [K in CachedKind]: {
    readonly kind: K;
    readonly value: CachedKinds[K];
    readonly observedAt: number;
    readonly live: boolean;
  };
}[CachedKind];

/** One read of one connection. `key` names the account and everything that shapes the answer. */
export interface CacheKey {
  readonly connection: RowId<'connection'>;
  readonly key: string;
}

/** `generation` marks the moment of looking: `set` takes it back and stores nothing if there was a purge in between. */
export interface CacheLook {
  readonly entry: CacheEntry | null;
  readonly generation: string;
}

export interface CacheSet {
  readonly at: CacheKey;
  /** Whose share of the cache it takes. */
  readonly owner: OwnerId;
  readonly entry: CacheEntry;
  readonly ttlMs: number;
  readonly generation: string;
}

/**
 * Stores answers of providers for minutes (docs/resources.md#caching). It may forget anything at any time, and must forget a
 * connection at once on request. A fault of the cache is a miss, never a failure of the read.
 */
export interface GatewayCache {
  look(at: CacheKey): Promise<CacheLook>;
  set(set: CacheSet): Promise<void>;
  /** Forgets every read of the connection. Rejects when it could not. */
  purge(connection: RowId<'connection'>): Promise<void>;
  /** Notifications of purges elsewhere may have been missed: everything that only this process holds is forgotten. */
  forgetOwn(): void;
  /** Takes a turn that comes once in `everyMs`: 0 when taken, else the milliseconds left until the next. */
  takeTurn(name: string, everyMs: number): Promise<number>;
  close(): Promise<void>;
}

const MINUTE_MS = 60_000;

/** A read of one account. */
interface AccountRead<T> {
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

interface CachedReadsOptions {
  readonly cache: GatewayCache;
  readonly clock: Clock;
  readonly limits: Limits;
}

/** Reads of accounts through the cache: answered from it, else shared by those who ask together, then cached. */
export class CachedReads {
  readonly #options: CachedReadsOptions;
  readonly #joined = new JoinedReads<CacheEntry>();

  constructor(options: CachedReadsOptions) {
    this.#options = options;
  }

  /** What is cached of a read; null where nothing is, or the account record opted out of caching. */
  async find<T>(
    account: AccountReference,
    key: string,
    open: (entry: CacheEntry) => T | null,
  ): Promise<CachedRead<T> | null> {
    if (!account.connection.caching) return null;
    const { entry } = await this.#options.cache.look(placeOf(account, key));
    const value = entry === null ? null : open(entry);
    return entry === null || value === null ? null : { value, cache: 'HIT', observedAt: entry.observedAt };
  }

  /** The answer, from the cache where it is good enough. Raises what `fetch` raises, or `signal.reason` once aborted. */
  async read<T>(read: AccountRead<T>, signal: AbortSignal): Promise<CachedRead<T>> {
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
    const flight = `${at.key} ${read.live ? 'live' : 'copy'} ${generation}`;
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

  #isGoodEnough(read: AccountRead<unknown>, entry: CacheEntry): boolean {
    if (!read.live) return true;
    const age = this.#options.clock.now() - entry.observedAt;
    return entry.live && age < this.#options.limits.live_balance_minutes * MINUTE_MS;
  }
}

function placeOf(account: AccountReference, key: string): CacheKey {
  return { connection: account.connection.id, key: `${account.id} ${key}` };
}

function opened<T>(read: AccountRead<T>, entry: CacheEntry): T {
  const value = read.open(entry);
  if (value === null) throw new TypeError('a read returned an entry of another kind');
  return value;
}

interface Flight<V> {
  readonly result: Promise<V>;
  readonly controller: AbortController;
  waiting: number;
}

/**
 * One read per key at a time; callers that ask meanwhile share it. A caller that leaves stops waiting; the read
 * itself is aborted when the last one has gone.
 */
export class JoinedReads<V> {
  readonly #flights = new Map<string, Flight<V>>();

  /** How many reads are under way. */
  get size(): number {
    return this.#flights.size;
  }

  /** Rejects with `signal.reason` once aborted. `read` is given a signal of its own. */
  run(key: string, signal: AbortSignal, read: (signal: AbortSignal) => Promise<V>): Promise<V> {
    if (signal.aborted) return Promise.reject(signal.reason);
    const flight = this.#flights.get(key) ?? this.#start(key, read);
    flight.waiting += 1;
    return new Promise((resolve, reject) => {
      const leave = () => {
        flight.waiting -= 1;
        if (flight.waiting === 0) {
          this.#forget(key, flight);
          flight.controller.abort(signal.reason);
        }
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      const settle = () => signal.removeEventListener('abort', leave);
      flight.result.then(
        (value) => {
          settle();
          resolve(value);
        },
        (error: unknown) => {
          settle();
          reject(error);
        },
      );
    });
  }

  #start(key: string, read: (signal: AbortSignal) => Promise<V>): Flight<V> {
    const controller = new AbortController();
    // A microtask later, so that a read which throws at once finds its flight to remove.
    const result = Promise.resolve()
      .then(() => read(controller.signal))
      .finally(() => this.#forget(key, flight));
    const flight: Flight<V> = { result, controller, waiting: 0 };
    this.#flights.set(key, flight);
    return flight;
  }

  #forget(key: string, flight: Flight<V>): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
  }
}
