import type { ColumnType } from 'kysely';
import type { RowId } from '../vocabulary/ids.ts';
import type { WebhookDeliveryStatus, WebhookEventKind } from '../vocabulary/webhook-events.ts';
import type { Moment } from './identity-tables.ts';

/** What was sent to a webhook, in one event: ids, days and counts, never an amount or a text of a row. */
export interface WebhookDeliveriesTable {
  id: RowId<'webhook_delivery'>;
  account_record: RowId<'account_record'>;
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
