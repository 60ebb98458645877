import type {
  ProviderAccountDetails,
  ProviderBalance,
} from '../../connectors/providers/provider-contract.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import type { TransactionRows } from './gateway-types.ts';

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
