import type { Clock } from '../../platform/clock.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import {
  type CacheEntry,
  type CacheKey,
  type CacheLook,
  type CacheSet,
  type GatewayCache,
  weightOf,
} from './gateway-cache.ts';

interface Kept {
  readonly connection: RowId<'connection'>;
  readonly entry: CacheEntry;
  readonly expiresAt: number;
  readonly ttlMs: number;
}

const SWEEP_MS = 60_000;

/**
 * The cache of one process. Least recently used entries go first once the rows together exceed the bound.
 *
 * Own code, because the memory stores of npm bound the number of entries, and here one entry may be one balance or
 * five thousand rows; and because the same objects come back, rows that were already presented need no second time.
 */
export class MemoryCache implements GatewayCache {
  readonly #clock: Clock;
  readonly #maxRows: number;
  /** In order of use, the least recent first. */
  readonly #kept = new Map<string, Kept>();
  readonly #turns = new Map<string, number>();
  #rows = 0;
  #purges = 0;
  #sweptAt: number;

  /** @param maxRows LIMIT_CACHE_ROWS; 0 keeps nothing */
  constructor(clock: Clock, maxRows: number) {
    this.#clock = clock;
    this.#maxRows = maxRows;
    this.#sweptAt = clock.now();
  }

  /** Rows held now. */
  get rows(): number {
    return this.#rows;
  }

  async look(at: CacheKey): Promise<CacheLook> {
    const name = nameOf(at);
    const generation = String(this.#purges);
    const kept = this.#kept.get(name);
    if (kept === undefined) return { entry: null, generation };
    this.#drop(name);
    if (!isCurrent(kept, this.#clock.now())) return { entry: null, generation };
    this.#keep(name, kept);
    return { entry: kept.entry, generation };
  }

  /** One generation for all connections: purges are rare, and a counter for each would never be forgotten. */
  async set({ at, entry, ttlMs, generation }: CacheSet): Promise<void> {
    this.#sweep();
    const name = nameOf(at);
    this.#drop(name);
    if (generation !== String(this.#purges) || ttlMs <= 0 || weightOf(entry) > this.#maxRows) return;
    this.#keep(name, { connection: at.connection, entry, expiresAt: this.#clock.now() + ttlMs, ttlMs });
    for (const oldest of this.#kept.keys()) {
      if (this.#rows <= this.#maxRows) break;
      this.#drop(oldest);
    }
  }

  async purge(connection: RowId<'connection'>): Promise<void> {
    this.#purges += 1;
    for (const [name, kept] of this.#kept) if (kept.connection === connection) this.#drop(name);
  }

  forgetOwn(): void {
    this.#purges += 1;
    for (const name of this.#kept.keys()) this.#drop(name);
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
    this.#kept.clear();
    this.#rows = 0;
  }

  #keep(name: string, kept: Kept): void {
    this.#kept.set(name, kept);
    this.#rows += weightOf(kept.entry);
  }

  #drop(name: string): void {
    const kept = this.#kept.get(name);
    if (kept === undefined) return;
    this.#kept.delete(name);
    this.#rows -= weightOf(kept.entry);
  }

  /** Data past its time does not stay just because nobody asks for it. */
  #sweep(): void {
    const now = this.#clock.now();
    if (now - this.#sweptAt < SWEEP_MS) return;
    this.#sweptAt = now;
    for (const [name, kept] of this.#kept) if (!isCurrent(kept, now)) this.#drop(name);
  }
}

/** A clock that was set back must not keep what a bank said for longer than it may be kept. */
function isCurrent({ expiresAt, ttlMs }: Kept, now: number): boolean {
  const left = expiresAt - now;
  return left > 0 && left <= ttlMs;
}

const nameOf = (at: CacheKey): string => `${at.connection} ${at.key}`;
