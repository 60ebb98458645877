import type { RowId } from '../../vocabulary/ids.ts';

/** What is kept of one read. `value` is plain data: it survives JSON. */
export interface CacheEntry {
  readonly value: unknown;
  /** Epoch milliseconds at which the provider answered. */
  readonly observedAt: number;
}

/** One read of one connection. `key` names the account and everything that shapes the answer. */
export interface CacheKey {
  readonly connection: RowId<'connection'>;
  readonly key: string;
}

/**
 * Holds answers of providers for minutes (SPEC, v1 Caching). It may forget anything at any time and must forget a
 * connection at once when told to. A fault of the cache is a miss, never a failure of the read.
 */
export interface GatewayCache {
  /** The entry, or null when there is none or it is too old. */
  get(at: CacheKey): Promise<CacheEntry | null>;
  /**
   * A mark taken before a read begins. `set` keeps the answer only when no purge happened since, so that a read in
   * flight cannot put back what a purge removed.
   */
  generation(connection: RowId<'connection'>): Promise<string>;
  /** `rows`: how much of the bounded memory the entry takes. */
  set(
    at: CacheKey,
    entry: CacheEntry,
    options: { ttlMs: number; rows: number; generation: string },
  ): Promise<void>;
  /** Forgets every read of the connection. Rejects when it could not. */
  purge(connection: RowId<'connection'>): Promise<void>;
  close(): Promise<void>;
}
