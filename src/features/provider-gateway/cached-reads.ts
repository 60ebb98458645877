import type { Clock } from '../../platform/clock.ts';
import type { OwnerId } from '../../vocabulary/ids.ts';
import type { LimitName, Limits } from '../../vocabulary/limits.ts';
import type { AccountReference, CachedRead, GatewayAccount } from './gateway-types.ts';
import type { CacheEntry, CacheKey, MemoryCache } from './memory-cache.ts';

const MINUTE_MS = 60_000;

/** A read of one account. */
interface AccountRead<T> {
  readonly account: GatewayAccount;
  /** Everything that determines the answer. */
  readonly key: string;
  /** The key it is cached under, if that depends on the answer; `key` by default. */
  readonly keep?: (entry: CacheEntry) => string;
  readonly ttl: LimitName;
  /** Asks the bank itself; only a recent cached answer that also did may replace it. */
  readonly live: boolean;
  /** The maximum age of a cached answer, in milliseconds; by default as long as it is cached. */
  readonly maxAgeMs?: number;
  /** Continues for the next caller after the last one has left, so that reloading a page does not restart it. */
  readonly lingers?: boolean;
  /** The value in an entry of the right kind. */
  readonly open: (entry: CacheEntry) => T | null;
  readonly fetch: (signal: AbortSignal) => Promise<CacheEntry>;
}

interface CachedReadsOptions {
  readonly cache: MemoryCache;
  readonly clock: Clock;
  readonly limits: Limits;
}

/** Reads of accounts through the cache: answered from it, or else shared by concurrent callers, then cached. */
export class CachedReads {
  readonly #options: CachedReadsOptions;
  readonly #joined = new JoinedReads<CacheEntry>();

  constructor(options: CachedReadsOptions) {
    this.#options = options;
  }

  /** What is cached of a read; null if nothing is, or the account record opted out of caching. */
  find<T>(
    account: AccountReference,
    key: string,
    open: (entry: CacheEntry) => T | null,
    maxAgeMs = Number.POSITIVE_INFINITY,
  ): CachedRead<T> | null {
    if (!account.connection.caching) return null;
    const { entry } = this.#options.cache.look(placeOf(account, key));
    const value = entry === null || this.#ageOf(entry) > maxAgeMs ? null : open(entry);
    return entry === null || value === null ? null : { value, cache: 'HIT', observedAt: entry.observedAt };
  }

  /** The answer, from the cache if that is good enough. Raises what `fetch` raises, or `signal.reason` once aborted. */
  async read<T>(read: AccountRead<T>, signal: AbortSignal): Promise<CachedRead<T>> {
    const { cache, limits } = this.#options;
    const { connection } = read.account;
    const at = placeOf(read.account, read.key);
    if (!connection.caching) {
      const entry = await this.#joined.run(`${at.key} uncached`, signal, read.fetch);
      return { value: opened(read, entry), cache: 'BYPASS', observedAt: entry.observedAt };
    }
    const { entry, generation } = cache.look(at);
    signal.throwIfAborted();
    const value = entry !== null && this.#isGoodEnough(read, entry) ? read.open(entry) : null;
    if (entry !== null && value !== null) return { value, cache: 'HIT', observedAt: entry.observedAt };
    // The generation keeps a read that begins after a purge from joining one that began before it.
    const flight = `${at.key} ${read.live ? 'live' : 'copy'} ${generation}`;
    const lingers = read.lingers === true ? connection.owner : null;
    const begin = async (within: AbortSignal) => {
      const answer = await read.fetch(within);
      cache.set({
        at: read.keep === undefined ? at : placeOf(read.account, read.keep(answer)),
        owner: connection.owner,
        entry: answer,
        ttlMs: limits[read.ttl] * MINUTE_MS,
        generation,
      });
      return answer;
    };
    const fetched = await this.#joined.run(flight, signal, begin, lingers);
    return { value: opened(read, fetched), cache: 'MISS', observedAt: fetched.observedAt };
  }

  #isGoodEnough(read: AccountRead<unknown>, entry: CacheEntry): boolean {
    const age = this.#ageOf(entry);
    if (!read.live) return age <= (read.maxAgeMs ?? Number.POSITIVE_INFINITY);
    return entry.live && age < this.#options.limits.live_balance_minutes * MINUTE_MS;
  }

  #ageOf({ observedAt }: CacheEntry): number {
    return this.#options.clock.now() - observedAt;
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
  /** Whether it continues without callers. */
  lingering: boolean;
}

/** Reads of one account record that may continue without callers; further ones are aborted. */
export const MOST_LINGERING = 16;

/**
 * One read per key at a time, shared by concurrent callers. A caller that leaves stops waiting; the read itself is
 * aborted when the last one has left, unless it lingers: then it continues until its deadline.
 */
export class JoinedReads<V> {
  readonly #flights = new Map<string, Flight<V>>();
  /** How many linger, of each account record. */
  readonly #lingering = new Map<OwnerId, number>();

  /** How many reads are in progress. */
  get size(): number {
    return this.#flights.size;
  }

  /**
   * Rejects with `signal.reason` once aborted. `read` gets its own signal. `lingers`: the account record whose share a
   * read takes that continues without callers; null for one that is aborted then.
   */
  run(
    key: string,
    signal: AbortSignal,
    read: (signal: AbortSignal) => Promise<V>,
    lingers: OwnerId | null = null,
  ): Promise<V> {
    if (signal.aborted) return Promise.reject(signal.reason);
    const flight = this.#flights.get(key) ?? this.#start(key, read);
    flight.waiting += 1;
    return new Promise((resolve, reject) => {
      const leave = () => {
        flight.waiting -= 1;
        if (flight.waiting === 0 && !this.#letLinger(flight, lingers)) {
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
    // A microtask later, so that a read which throws at once finds its entry to remove.
    const result = Promise.resolve()
      .then(() => read(controller.signal))
      .finally(() => this.#forget(key, flight));
    const flight: Flight<V> = { result, controller, waiting: 0, lingering: false };
    this.#flights.set(key, flight);
    return flight;
  }

  #letLinger(flight: Flight<V>, owner: OwnerId | null): boolean {
    if (owner === null || flight.lingering) return flight.lingering;
    const others = this.#lingering.get(owner) ?? 0;
    if (others >= MOST_LINGERING) return false;
    this.#lingering.set(owner, others + 1);
    flight.lingering = true;
    const end = () => {
      const left = (this.#lingering.get(owner) ?? 1) - 1;
      if (left > 0) this.#lingering.set(owner, left);
      else this.#lingering.delete(owner);
    };
    // There may be no caller left to handle its failure.
    flight.result.then(end, end);
    return true;
  }

  #forget(key: string, flight: Flight<V>): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
  }
}
