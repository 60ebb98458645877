import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Sealer } from '../../platform/sealing.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { CacheEntry, CacheKey, CacheLook, CacheSet, GatewayCache } from './gateway-cache.ts';

interface CachedEntry {
  readonly owner: OwnerId;
  readonly bytes: number;
  readonly connection: RowId<'connection'>;
  readonly entry: CacheEntry;
  readonly expiresAt: number;
  readonly ttlMs: number;
}

const SWEEP_MS = 60_000;

export interface MemoryCacheBounds {
  /** Bytes of all entries together; 0 stores nothing. */
  readonly bytes: number;
  /** Bytes of the entries of one account record. */
  readonly ownerBytes: number;
}

/**
 * The cache of one process. Where an account record exceeds its share, what it used least recently goes; where all of
 * them together exceed the bound, that of the one that has the most.
 *
 * Own code, because the memory stores of npm know no owners and bound the number of entries, and here one entry may be
 * one balance or five thousand rows; and because the same objects come back, rows that were already presented need no second time.
 */
export class MemoryCache implements GatewayCache {
  readonly #clock: Clock;
  readonly #bounds: MemoryCacheBounds;
  /** In order of use, the least recent first. */
  readonly #entries = new Map<string, CachedEntry>();
  /** Bytes and names of the entries of each owner, the names in order of use. */
  readonly #owners = new Map<OwnerId, { bytes: number; readonly names: Set<string> }>();
  readonly #turns = new Map<string, number>();
  #bytes = 0;
  #purges = 0;
  #sweptAt: number;

  constructor(clock: Clock, bounds: MemoryCacheBounds) {
    this.#clock = clock;
    this.#bounds = bounds;
    this.#sweptAt = clock.now();
  }

  /** Approximate bytes of all entries. */
  get bytes(): number {
    return this.#bytes;
  }

  async look(at: CacheKey): Promise<CacheLook> {
    const name = nameOf(at);
    const generation = String(this.#purges);
    const cached = this.#entries.get(name);
    if (cached === undefined) return { entry: null, generation };
    this.#drop(name);
    if (!isCurrent(cached, this.#clock.now())) return { entry: null, generation };
    this.#insert(name, cached);
    return { entry: cached.entry, generation };
  }

  /** One generation for all connections: purges are rare, and a counter for each would never be forgotten. */
  async set({ at, owner, entry, ttlMs, generation }: CacheSet): Promise<void> {
    this.#sweep();
    const name = nameOf(at);
    this.#drop(name);
    const most = Math.min(this.#bounds.bytes, this.#bounds.ownerBytes);
    if (generation !== String(this.#purges) || ttlMs <= 0 || most === 0) return;
    const bytes = bytesOf(entry);
    if (bytes > most) return;
    const expiresAt = this.#clock.now() + ttlMs;
    this.#insert(name, { connection: at.connection, owner, bytes, entry, expiresAt, ttlMs });
    while (this.#bytesOf(owner) > this.#bounds.ownerBytes) this.#dropOldest(owner);
    while (this.#bytes > this.#bounds.bytes) this.#dropOldest(this.#largest());
  }

  async purge(connection: RowId<'connection'>): Promise<void> {
    this.#purges += 1;
    for (const [name, cached] of this.#entries) if (cached.connection === connection) this.#drop(name);
  }

  forgetOwn(): void {
    this.#purges += 1;
    for (const name of this.#entries.keys()) this.#drop(name);
  }

  async takeTurn(name: string, everyMs: number): Promise<number> {
    const now = this.#clock.now();
    const left = (this.#turns.get(name) ?? 0) - now;
    // A clock that was set back must not keep a turn for longer than a turn lasts.
    if (left > 0 && left <= everyMs) return left;
    for (const [other, until] of this.#turns) if (until <= now) this.#turns.delete(other);
    this.#turns.set(name, now + everyMs);
    return 0;
  }

  async close(): Promise<void> {
    this.#entries.clear();
    this.#owners.clear();
    this.#bytes = 0;
  }

  #insert(name: string, cached: CachedEntry): void {
    this.#entries.set(name, cached);
    this.#bytes += cached.bytes;
    const share = this.#owners.get(cached.owner) ?? { bytes: 0, names: new Set() };
    share.bytes += cached.bytes;
    share.names.add(name);
    this.#owners.set(cached.owner, share);
  }

  #drop(name: string): void {
    const cached = this.#entries.get(name);
    if (cached === undefined) return;
    this.#entries.delete(name);
    this.#bytes -= cached.bytes;
    const share = this.#owners.get(cached.owner);
    if (share === undefined) return;
    share.bytes -= cached.bytes;
    share.names.delete(name);
    if (share.names.size === 0) this.#owners.delete(cached.owner);
  }

  #dropOldest(owner: OwnerId | null): void {
    const [oldest] = (owner === null ? undefined : this.#owners.get(owner)?.names) ?? [];
    if (oldest !== undefined) this.#drop(oldest);
  }

  #bytesOf(owner: OwnerId): number {
    return this.#owners.get(owner)?.bytes ?? 0;
  }

  #largest(): OwnerId | null {
    let largest: OwnerId | null = null;
    for (const [owner, { bytes }] of this.#owners) {
      if (largest === null || bytes > this.#bytesOf(largest)) largest = owner;
    }
    return largest;
  }

  /** Expired data is dropped even if nobody asks for it. */
  #sweep(): void {
    const now = this.#clock.now();
    if (now - this.#sweptAt < SWEEP_MS) return;
    this.#sweptAt = now;
    for (const [name, cached] of this.#entries) if (!isCurrent(cached, now)) this.#drop(name);
  }
}

/** A clock that was set back must not keep what a bank said for longer than it may be cached. */
function isCurrent({ expiresAt, ttlMs }: CachedEntry, now: number): boolean {
  const left = expiresAt - now;
  return left > 0 && left <= ttlMs;
}

const nameOf = (at: CacheKey): string => `${at.connection} ${at.key}`;

/** Bytes of memory that an entry takes, about: texts by their length, and what V8 needs around each value. */
export function bytesOf(entry: CacheEntry): number {
  return ENTRY_BYTES + valueBytes(entry.value);
}

const ENTRY_BYTES = 200;
const VALUE_BYTES = 8;
const TEXT_BYTES = 16;
const OBJECT_BYTES = 24;

/** Entries are plain data of a few levels; a name of a member is shared by all objects that have it. */
function valueBytes(value: unknown): number {
  if (typeof value === 'string') return VALUE_BYTES + TEXT_BYTES + value.length;
  if (typeof value !== 'object' || value === null) return VALUE_BYTES;
  let bytes = VALUE_BYTES + OBJECT_BYTES;
  for (const member of Object.values(value)) bytes += valueBytes(member);
  return bytes;
}

/** The cache of this process, or with a REDIS_URL the one shared by all. Close it at the end. */
export async function openGatewayCache(options: {
  readonly redisUrl: string | null;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly limits: Pick<Limits, 'cache_bytes' | 'cache_owner_bytes'>;
  readonly log: Pick<Log, 'warn'>;
}): Promise<GatewayCache> {
  const { redisUrl, clock, limits } = options;
  const { cache_bytes: bytes, cache_owner_bytes: ownerBytes } = limits;
  if (redisUrl === null) return new MemoryCache(clock, { bytes, ownerBytes });
  // Most installations have no Redis, and its client is the largest library of all that a start would load.
  const { RedisCache } = await import('./redis-cache.ts');
  return RedisCache.open(redisUrl, { ...options, ownerBytes });
}
