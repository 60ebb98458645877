import type { Generated, JSONColumnType } from 'kysely';
import type { AccountMapping } from '../vocabulary/account-mappings.ts';
import type { DestinationType } from '../vocabulary/destination-kinds.ts';
import type { ErrorCode } from '../vocabulary/error-codes.ts';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { LocalTime } from '../vocabulary/local-times.ts';
import type { LocalDate } from '../vocabulary/moments.ts';
import type { DestinationStatus, SyncRunStatus } from '../vocabulary/states.ts';
import type {
  AttentionCode,
  CategoryMapping,
  MappingMode,
  RunAccountStatus,
  RunFailureCode,
  RunTrigger,
  SyncOptions,
  SyncType,
} from '../vocabulary/syncs.ts';
import type { ActorColumns } from './actor-columns.ts';
import type { MetadataColumn, Moment, NullableMoment } from './identity-tables.ts';

/** Keys of `target`, by type: vocabulary/destinations.ts. */
export type DestinationTarget = Readonly<Record<string, string>>;

export interface DestinationsTable {
  id: RowId<'destination'>;
  account_record: OwnerId;
  type: DestinationType;
  name: string;
  status: DestinationStatus;
  /** Empty if it is sealed. */
  target: JSONColumnType<DestinationTarget>;
  /** Sealed: the target of a webhook, whose address may hold a secret. Its text is JSON with a version. */
  sealed_target: Uint8Array | null;
  /** `<key id>:<keyed MAC>` of the sealed target: no owner has two webhooks with the same address. */
  target_mac: string | null;
  /** Sealed: a webhook's signing secret, and the one it replaced until the overlap ends. */
  signing_secret: Uint8Array | null;
  previous_secret: Uint8Array | null;
  previous_secret_until: NullableMoment;
  /** Sealed: what a person granted by signing in there; null for a webhook. */
  grant: Uint8Array | null;
  /** Until then, one process is exchanging the grant for a new one (destination-grants.ts). */
  grant_claimed_until: NullableMoment;
  /**
   * The key of what is being created at the vendor, or may have been by an attempt with an unknown outcome; and until
   * when an attempt is in progress (destination-creations.ts).
   */
  creation_key: string | null;
  creating_until: NullableMoment;
  /** Sealed: the random key under which the ledger keeps MACs of this destination's rows. */
  mac_key: Uint8Array;
  /** Consecutive failed runs, and when the first of them ended (docs/destinations.md#failure-rules). */
  failed_runs: Generated<number>;
  first_failed_at: NullableMoment;
  metadata: MetadataColumn;
  created: Moment;
  updated: Moment;
}

export interface SyncsTable {
  id: RowId<'sync'>;
  account_record: OwnerId;
  destination: RowId<'destination'>;
  name: string;
  type: SyncType;
  enabled: boolean;
  mapping_mode: MappingMode;
  account_mappings: JSONColumnType<readonly AccountMapping[]>;
  category_mappings: JSONColumnType<readonly CategoryMapping[]>;
  options: JSONColumnType<SyncOptions>;
  /** Fields of its rows that the owner chose, in their order; null for the standard ones. */
  columns: string[] | null;
  /**
   * When it runs, as the owner chose: at an interval in minutes, or at times of day in a zone. All null: as often as
   * the plan allows.
   */
  schedule_minutes: number | null;
  schedule_times: LocalTime[] | null;
  schedule_timezone: string | null;
  attention: AttentionCode | null;
  /** Consecutive failed runs; each retry of a retryable failure waits longer. */
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

/**
 * One account's rows of one sync. It outlives the account's membership of the sync, so adding the account again
 * duplicates nothing.
 */
export interface DeliveryStreamsTable {
  id: Generated<number>;
  sync: RowId<'sync'>;
  account: RowId<'account'>;
  /** The instant up to which everything the provider had recorded is delivered; null: unknown. */
  cursor: NullableMoment;
  generation: Generated<number>;
  redelivering: Generated<boolean>;
}

/** `actor_kind` and `actor_id` say who caused it; `trigger` is what the API shows of that. */
export interface SyncRunsTable extends ActorColumns {
  id: RowId<'sync_run'>;
  account_record: OwnerId;
  sync: RowId<'sync'>;
  destination: RowId<'destination'>;
  status: SyncRunStatus;
  trigger: RunTrigger;
  /** Of the request that queued it, for the log. */
  request_id: string | null;
  processed: Generated<number>;
  added: Generated<number>;
  updated: Generated<number>;
  rejected: Generated<number>;
  skipped_by_rules: Generated<number>;
  /** Rejected rows that the sync's list has no room for (rejected-rows.ts). */
  rejected_unlisted: Generated<number>;
  failure: RunFailureCode | null;
  retryable: boolean | null;
  /** Number of the last chunk begun. */
  chunks: Generated<number>;
  /** Incremented by every worker that takes the run; only the newest may write. */
  fence: Generated<number>;
  lease_until: NullableMoment;
  /** Since when it waits for a worker; while it runs, when it was taken. Orders the runs of one owner. */
  dispatched_at: Moment;
  started_at: NullableMoment;
  completed_at: NullableMoment;
  /** The first and the last local day that it reads (`YYYY-MM-DD`); null for a run that reads what is due. */
  range_from: LocalDate | null;
  range_to: LocalDate | null;
  /** Whether it reads further back than the overlap; only a few of an account record's runs may at once. */
  sweeping: Generated<boolean>;
  created: Moment;
}

/** The result of one account in a run. */
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
 * What the destination has from us: ids, days, states and keyed MACs, never an amount or text
 * (docs/sync-engine.md#what-is-stored).
 */
export interface DeliveryLedgerTable {
  stream: number;
  /** ledger-slots.ts */
  slot: number;
  /** ledger-records.ts: day of the posting or, for a pending row, of the purchase; MAC and id; state of the row. */
  day: number | null;
  record: Uint8Array;
  state: number | null;
  /** For pending rows: keyed MAC of currency and amount. */
  match_mac: Uint8Array | null;
  /** The destination's own id of the row, where it gives one. */
  remote_ref: string | null;
}

/** A deleted stream whose rows are still in the ledger (`deleteStaleRows`, delivery-streams.ts). */
export interface StaleStreamsTable {
  stream: number;
  sync: RowId<'sync'>;
}

/** The intent of a chunk: written before the chunk is sent, deleted when it succeeds. */
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

/** A process that takes runs (processes.ts). */
export interface WorkerProcessesTable {
  id: string;
  seen_at: Moment;
}

/** The data directory whose simulators are in use (processes.ts). */
export interface SandboxPlaceTable {
  id: string;
  place: string;
  seen_at: Moment;
}

export interface SyncingTables {
  sandbox_place: SandboxPlaceTable;
  destinations: DestinationsTable;
  syncs: SyncsTable;
  sync_accounts: SyncAccountsTable;
  delivery_streams: DeliveryStreamsTable;
  sync_runs: SyncRunsTable;
  sync_run_accounts: SyncRunAccountsTable;
  delivery_ledger: DeliveryLedgerTable;
  delivery_chunks: DeliveryChunksTable;
  stale_streams: StaleStreamsTable;
  worker_processes: WorkerProcessesTable;
}
