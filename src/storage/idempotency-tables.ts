import type { RowId } from '../vocabulary/ids.ts';
import type { ActorColumns } from './actor-columns.ts';
import type { Moment, NullableMoment } from './identity-tables.ts';

/** One idempotency key that a caller sent: an answer it may have again, or an attempt that is under way. */
export interface IdempotencyKeysTable extends ActorColumns {
  /** Keyed MAC of who sent it and what they sent; neither can be read from it. */
  id: Uint8Array;
  account_record: RowId<'account_record'>;
  /** The caller's API key; null for a caller of another kind, whom `actor_kind` and `actor_id` name instead. */
  api_key: RowId<'api_key'> | null;
  /** The connection the request was about: its answer may name accounts, and goes when the connection goes. */
  connection: RowId<'connection'> | null;
  /** Which attempt holds the key; null once it is answered. */
  holder: string | null;
  lease_until: NullableMoment;
  /** The sealed answer with the fingerprint of its request; null while an attempt is under way. */
  answer: Uint8Array | null;
  created: Moment;
}

export interface IdempotencyTables {
  idempotency_keys: IdempotencyKeysTable;
}
