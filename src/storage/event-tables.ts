import type { ColumnType, Generated } from 'kysely';
import type { DisabledReason } from '../vocabulary/event-deliveries.ts';
import type { EventKind } from '../vocabulary/event-kinds.ts';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { EventDeliveryStatus, EventDestinationStatus } from '../vocabulary/states.ts';
import type { MetadataColumn, Moment, NullableMoment } from './identity-tables.ts';

export interface EventDestinationsTable {
  id: RowId<'event_destination'>;
  account_record: OwnerId;
  name: string;
  /** Sealed: where it sends, as JSON with a version; an address may hold a secret. */
  endpoint: Uint8Array;
  /** Sealed: the signing secret, and the one it replaced until the overlap ends. */
  signing_secret: Uint8Array;
  previous_secret: Uint8Array | null;
  previous_secret_until: NullableMoment;
  /** vocabulary/event-selectors.ts */
  enabled_events: string[];
  status: EventDestinationStatus;
  disabled_reason: DisabledReason | null;
  /** Attempts in a row that failed, and when the first of them ended. */
  failures: Generated<number>;
  failing_since: NullableMoment;
  /** When the latest of them ended; null where an earlier version wrote it down. */
  failed_at: NullableMoment;
  /** Nothing is sent before this moment. */
  resume_at: NullableMoment;
  /** Grows whenever a worker takes it; only the worker that has the newest may write what it delivered. */
  fence: Generated<number>;
  lease_until: NullableMoment;
  metadata: MetadataColumn;
  created: Moment;
  updated: Moment;
}

export interface EventsTable {
  id: RowId<'event'>;
  account_record: OwnerId;
  kind: EventKind;
  /** The id of what the kind is about. */
  subject: string;
  /** The place among the owner's events; null until it is given out (storage/event-positions.ts). */
  position: number | null;
  created: Moment;
}

export interface EventPositionsTable {
  account_record: OwnerId;
  /** The last that was given out. */
  position: number;
}

export interface EventDeliveriesTable {
  event: RowId<'event'>;
  destination: RowId<'event_destination'>;
  account_record: OwnerId;
  position: number;
  status: EventDeliveryStatus;
  /** Since it was last to be sent: by the event, or again by its owner. */
  attempts: Generated<number>;
  due_at: Moment;
  /** The latest attempts, as JSON with a version (storage/delivery-attempts.ts). */
  log: ColumnType<unknown, string | null, string | null>;
}

export interface EventTables {
  event_destinations: EventDestinationsTable;
  events: EventsTable;
  event_positions: EventPositionsTable;
  event_deliveries: EventDeliveriesTable;
}
