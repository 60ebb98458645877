import type {
  ProviderAccountDetails,
  ProviderBalance,
} from '../../connectors/providers/provider-contract.ts';
import type { Clock } from '../../platform/clock.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import type { TransactionRows } from './gateway-types.ts';

interface CachedKinds {
  readonly balance: ProviderBalance;
  readonly details: ProviderAccountDetails;
  readonly transactions: TransactionRows;
}

export type CachedKind = keyof CachedKinds;

/**
 * What is cached of one read. `observedAt`: when the provider answered, epoch ms. `live`: whether the bank itself was
 * asked.
 */
export type CacheEntry = {
  readonly [K in CachedKind]: {
    readonly kind: K;
    readonly value: CachedKinds[K];
    readonly observedAt: number;
    readonly live: boolean;
  };
}[CachedKind];

/** One read of one connection. `key` contains the account and everything that determines the answer. */
export interface CacheKey {
  readonly connection: RowId<'connection'>;
  readonly key: string;
}

/**
 * `generation` identifies the time of the lookup: pass it to `set`, which stores nothing if there was a purge in
 * between.
 */
export interface CacheLook {
  readonly entry: CacheEntry | null;
  readonly generation: number;
}

export interface CacheSet {
  readonly at: CacheKey;
  /** Whose share of the cache it uses. */
  readonly owner: OwnerId;
  readonly entry: CacheEntry;
  readonly ttlMs: number;
  readonly generation: number;
}

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
 * Stores answers of providers for minutes (docs/resources.md#caching). Each process has its own, and a notice of a
 * revocation purges them all (docs/decisions/0036-redis.md). If an account record exceeds its share, its least recently
 * used entries are dropped; if all together exceed the bound, those of the account record that has the most.
 *
 * Own code, because in-memory caches on npm have no concept of owners and bound the number of entries, while here one
 * entry may be one balance or five thousand rows; and because it returns the same objects, so that rows already
 * presented need not be presented again.
 */
export class MemoryCache {
  readonly #clock: Clock;
  readonly #bounds: MemoryCacheBounds;
  /** In order of use, least recent first. */
  readonly #entries = new Map<string, CachedEntry>();
  /** Bytes and names of the entries of each owner, the names in order of use. */
  readonly #owners = new Map<OwnerId, { bytes: number; readonly names: Set<string> }>();
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

  look(at: CacheKey): CacheLook {
    const name = nameOf(at);
    const generation = this.#purges;
    const cached = this.#entries.get(name);
    if (cached === undefined) return { entry: null, generation };
    this.#drop(name);
    if (!isCurrent(cached, this.#clock.now())) return { entry: null, generation };
    this.#insert(name, cached);
    return { entry: cached.entry, generation };
  }

  /** One generation for all connections: purges are rare, and a counter for each could never be deleted. */
  set({ at, owner, entry, ttlMs, generation }: CacheSet): void {
    this.#sweep();
    const name = nameOf(at);
    this.#drop(name);
    const most = Math.min(this.#bounds.bytes, this.#bounds.ownerBytes);
    if (generation !== this.#purges || ttlMs <= 0 || most === 0) return;
    const bytes = bytesOf(entry);
    if (bytes > most) return;
    const expiresAt = this.#clock.now() + ttlMs;
    this.#insert(name, { connection: at.connection, owner, bytes, entry, expiresAt, ttlMs });
    while (this.#bytesOf(owner) > this.#bounds.ownerBytes) this.#dropOldest(owner);
    while (this.#bytes > this.#bounds.bytes) this.#dropOldest(this.#largest());
  }

  /** Drops every read of the connection; one in progress will not be cached. */
  purge(connection: RowId<'connection'>): void {
    this.#purges += 1;
    for (const [name, cached] of this.#entries) if (cached.connection === connection) this.#drop(name);
  }

  /** Drops everything: notices of purges in other processes may have been missed. */
  clear(): void {
    this.#purges += 1;
    for (const name of this.#entries.keys()) this.#drop(name);
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

  /** Expired data is dropped even if it is never requested. */
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

/** Approximate bytes of memory of an entry: texts by their length, plus V8's overhead for each value. */
export function bytesOf(entry: CacheEntry): number {
  return ENTRY_BYTES + valueBytes(entry.value);
}

const ENTRY_BYTES = 200;
const VALUE_BYTES = 8;
const TEXT_BYTES = 16;
const OBJECT_BYTES = 24;

/** Entries are plain data of a few levels; member names are shared by all objects that have them. */
function valueBytes(value: unknown): number {
  if (typeof value === 'string') return VALUE_BYTES + TEXT_BYTES + value.length;
  if (typeof value !== 'object' || value === null) return VALUE_BYTES;
  let bytes = VALUE_BYTES + OBJECT_BYTES;
  for (const member of Object.values(value)) bytes += valueBytes(member);
  return bytes;
}
