import type { ColumnType } from 'kysely';
import type { DestinationType } from '../vocabulary/destination-kinds.ts';
import type { DestinationLinkFailureReason } from '../vocabulary/destinations.ts';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { WebhookDeliveryStatus, WebhookEventKind } from '../vocabulary/webhook-events.ts';
import type { Moment, NullableMoment } from './identity-tables.ts';

/** Status is never stored: it follows from the timestamps. */
export interface DestinationLinksTable {
  id: RowId<'destination_link'>;
  account_record: OwnerId;
  type: DestinationType;
  /** The destination whose grant this link replaces; null for a link that creates one. */
  renews: RowId<'destination'> | null;
  /** Set once completed: the resulting destination, which may have been deleted since. */
  destination: RowId<'destination'> | null;
  return_url: string;
  failure_reason: DestinationLinkFailureReason | null;
  /** Until then, one callback is asking the vendor; it can be exchanged only once. */
  landing_until: NullableMoment;
  expires_at: Moment;
  completed_at: NullableMoment;
  failed_at: NullableMoment;
  created: Moment;
  updated: Moment;
}

export interface DestinationLinkTables {
  destination_links: DestinationLinksTable;
}

export interface GrantRevocationsTable {
  /** A UUID that no caller sees. */
  id: string;
  account_record: OwnerId;
  type: DestinationType;
  /** Sealed. */
  grant: Uint8Array;
  /** Not before this time. */
  attempt_at: Moment;
  created: Moment;
}

export interface GrantRevocationTables {
  grant_revocations: GrantRevocationsTable;
}

/** What was sent to a webhook, in one event: ids, days and counts, never an amount or text of a row. */
export interface WebhookDeliveriesTable {
  id: RowId<'webhook_delivery'>;
  account_record: OwnerId;
  destination: RowId<'destination'>;
  sync: RowId<'sync'>;
  /** Null for a replay. */
  run: RowId<'sync_run'> | null;
  /** As it was sent. */
  event_id: string;
  kind: WebhookEventKind;
  new_count: number;
  updated_count: number;
  removed_count: number;
  status: WebhookDeliveryStatus;
  attempts: number;
  /** Packed (delivered-rows.ts). */
  rows: Uint8Array;
  /** The latest attempts, as JSON with a version (delivery-attempts.ts). */
  log: ColumnType<unknown, string, string>;
  created: Moment;
}

/** A chunk of a replay that is being sent: runs of the sync wait until then. */
export interface SyncReplaysTable {
  id: string;
  sync: RowId<'sync'>;
  until: Moment;
}

export interface WebhookDeliveryTables {
  webhook_deliveries: WebhookDeliveriesTable;
  sync_replays: SyncReplaysTable;
}
