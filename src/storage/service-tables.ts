import type { JSONColumnType } from 'kysely';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { ActorColumns } from './actor-columns.ts';
import type { Moment, NullableMoment } from './identity-tables.ts';

/** What is kept of removed encryption keys: subkeys that check MACs and cannot open anything. */
export interface RetainedMacKeysTable {
  /** `<purpose>:<key id>`. */
  id: string;
  /** Sealed. */
  subkey: Uint8Array;
}

/** A value sealed under the key in use (features/encryption/open-keyring.ts). */
export interface KeyChecksTable {
  id: string;
  sealed: Uint8Array;
}

export interface EncryptionTables {
  key_checks: KeyChecksTable;
  retained_mac_keys: RetainedMacKeysTable;
}

/** One idempotency key that a caller sent: an answer that can be returned again, or an attempt in progress. */
export interface IdempotencyKeysTable extends ActorColumns {
  /** Keyed MAC of who sent it and what they sent; neither can be read from it. */
  id: Uint8Array;
  account_record: OwnerId;
  /** The caller's API key, with which the row is deleted; null for a caller of another kind. */
  api_key: RowId<'api_key'> | null;
  /** The connection the request was about: its answer may name accounts, and is deleted with the connection. */
  connection: RowId<'connection'> | null;
  /** The attempt that holds the key; null once there is an answer. */
  holder: string | null;
  lease_until: NullableMoment;
  /** The sealed answer with the fingerprint of its request; null while an attempt is in progress. */
  answer: Uint8Array | null;
  created: Moment;
}

export interface IdempotencyTables {
  idempotency_keys: IdempotencyKeysTable;
}

/** Written by the rate limiter's own statements, which determine the order of its columns. */
export interface RateCountersTable {
  /** Name of the limit and bucket. */
  key: string;
  points: number;
  /** Epoch milliseconds. */
  expire: number | null;
}

export interface HeavySlotsTable {
  /** What the slots are for, and the account record or the quota that has them. */
  caller: string;
  /** Epoch milliseconds at which each holder's lease ends, by holder. */
  leases: JSONColumnType<Record<string, number>>;
  /** When the last of the leases ends. */
  until: Moment;
}

export interface RateLimitTables {
  rate_counters: RateCountersTable;
  heavy_slots: HeavySlotsTable;
  /** Of the same form: calls of quotas that last for hours, which a crash of the server must not forget. */
  lasting_quotas: HeavySlotsTable;
}
