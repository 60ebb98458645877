import type { Generated, JSONColumnType } from 'kysely';
import type { MappingMember } from '../vocabulary/account-mappings.ts';
import type { DestinationType } from '../vocabulary/destinations.ts';
import type { ErrorCode } from '../vocabulary/error-codes.ts';
import type { RowId } from '../vocabulary/ids.ts';
import type { LocalDate } from '../vocabulary/moments.ts';
import type { DestinationStatus, SyncRunStatus } from '../vocabulary/states.ts';
import type {
  AttentionCode,
  MappingMode,
  RunAccountStatus,
  RunFailureCode,
  RunTrigger,
  SyncType,
} from '../vocabulary/syncs.ts';
import type { MetadataColumn, Moment, NullableMoment } from './identity-tables.ts';

/** Keys of `target`, by type: vocabulary/destinations.ts. */
export type DestinationTarget = Readonly<Record<string, string>>;

export interface DestinationsTable {
  id: RowId<'destination'>;
  account_record: RowId<'account_record'>;
  type: DestinationType;
  name: string;
  status: DestinationStatus;
  target: JSONColumnType<DestinationTarget>;
  /** Sealed: a webhook's signing secret, and the one it replaced until the overlap ends. */
  signing_secret: Uint8Array | null;
  previous_secret: Uint8Array | null;
  previous_secret_until: NullableMoment;
  /** Sealed: what a person granted by signing in there; null for a webhook. */
  grant: Uint8Array | null;
  /** Sealed: the random key under which the ledger keeps MACs of this destination's rows. */
  mac_key: Uint8Array;
  /** Failed runs in a row, and when the first of them ended (SPEC, Events 6: auto-disable). */
  failed_runs: Generated<number>;
  first_failed_at: NullableMoment;
  metadata: MetadataColumn;
  created: Moment;
  updated: Moment;
}

export interface SyncOptions {
  readonly data_from: LocalDate;
  readonly include_pending: boolean;
  readonly mask_account_numbers: boolean;
  readonly custom_categories: boolean;
  readonly include_balances_tab: boolean;
}

/** Where an account's rows go inside the destination; members by type: vocabulary/account-mappings.ts. */
export type AccountMapping = Readonly<{ account: RowId<'account'> } & Partial<Record<MappingMember, string>>>;

/** Which category of the destination takes rows of a provider category. */
export interface CategoryMapping {
  readonly provider_category: string;
  readonly destination_category: string;
  readonly destination_category_name: string | null;
}

export interface SyncsTable {
  id: RowId<'sync'>;
  account_record: RowId<'account_record'>;
  destination: RowId<'destination'>;
  name: string;
  type: SyncType;
  enabled: boolean;
  mapping_mode: MappingMode;
  account_mappings: JSONColumnType<readonly AccountMapping[]>;
  category_mappings: JSONColumnType<readonly CategoryMapping[]>;
  options: JSONColumnType<SyncOptions>;
  attention: AttentionCode | null;
  /** Failed runs in a row; the next try of a retryable failure waits longer each time. */
  failed_runs: Generated<number>;
  last_synced_at: NullableMoment;
  /** When the scheduler next queues a run; null while the sync is disabled. */
  next_run_at: NullableMoment;
  metadata: MetadataColumn;
  created: Moment;
  updated: Moment;
}

export interface SyncAccountsTable {
  sync: RowId<'sync'>;
  account: RowId<'account'>;
  position: number;
}

/** One account's rows of one sync. It outlives the account's place in the sync, so putting it back doubles nothing. */
export interface DeliveryStreamsTable {
  id: Generated<number>;
  sync: RowId<'sync'>;
  account: RowId<'account'>;
  /** The instant up to which everything the provider had recorded is delivered; null: nothing is known. */
  cursor: NullableMoment;
}

export interface SyncRunsTable {
  id: RowId<'sync_run'>;
  account_record: RowId<'account_record'>;
  sync: RowId<'sync'>;
  destination: RowId<'destination'>;
  status: SyncRunStatus;
  trigger: RunTrigger;
  processed: Generated<number>;
  added: Generated<number>;
  updated: Generated<number>;
  rejected: Generated<number>;
  skipped_by_rules: Generated<number>;
  failure: RunFailureCode | null;
  retryable: boolean | null;
  /** Number of the last chunk begun. */
  chunks: Generated<number>;
  /** Grows with every worker that takes the run; only the newest may write. */
  fence: Generated<number>;
  lease_until: NullableMoment;
  /** When a job for it was last queued. */
  dispatched_at: Moment;
  started_at: NullableMoment;
  completed_at: NullableMoment;
  created: Moment;
}

/** What became of one account in a run. */
export interface SyncRunAccountsTable {
  run: RowId<'sync_run'>;
  account: RowId<'account'>;
  position: number;
  status: RunAccountStatus;
  processed: Generated<number>;
  added: Generated<number>;
  updated: Generated<number>;
  rejected: Generated<number>;
  skipped_by_rules: Generated<number>;
  failure: ErrorCode | null;
}

/**
 * What the destination holds of us: ids, states and keyed MACs, never an amount or a text (design section 10).
 * An empty `content_mac` says that the row may or may not have arrived.
 */
export interface DeliveryLedgerTable {
  stream: number;
  source_id: string;
  content_mac: Uint8Array;
  retired: boolean;
  provisional: boolean;
  /** For provisional rows: keyed MAC of currency and amount, and the local day as days since 1970. */
  match_mac: Uint8Array | null;
  match_day: number | null;
  /** The destination's own id of the row, where it gives one. */
  remote_ref: string | null;
}

/** The intent of a chunk: written before the chunk is sent, deleted with its success. */
export interface DeliveryChunksTable {
  event_id: string;
  sync: RowId<'sync'>;
  run: RowId<'sync_run'>;
  chunk: number;
  total_chunks: number | null;
  /** Packed (intended-rows.ts). */
  rows: string;
  created: Moment;
}

export interface SyncingTables {
  destinations: DestinationsTable;
  syncs: SyncsTable;
  sync_accounts: SyncAccountsTable;
  delivery_streams: DeliveryStreamsTable;
  sync_runs: SyncRunsTable;
  sync_run_accounts: SyncRunAccountsTable;
  delivery_ledger: DeliveryLedgerTable;
  delivery_chunks: DeliveryChunksTable;
}
