import type { Clock } from '../../platform/clock.ts';
import { JoinedReads } from '../../platform/joined-reads.ts';
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
