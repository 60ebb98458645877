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
  /** Sealed: where it sends to, as JSON with a version; an address may contain a secret. */
  endpoint: Uint8Array;
  /** Sealed: the signing secret, and the one it replaced until the overlap ends. */
  signing_secret: Uint8Array;
  previous_secret: Uint8Array | null;
  previous_secret_until: NullableMoment;
  /** vocabulary/event-selectors.ts */
  enabled_events: string[];
  status: EventDestinationStatus;
  disabled_reason: DisabledReason | null;
  /** Consecutive failed attempts, and when the first of them ended. */
  failures: Generated<number>;
  failing_since: NullableMoment;
  /** When the latest of them ended. */
  failed_at: NullableMoment;
  /** Nothing is sent before this time. */
  resume_at: NullableMoment;
  /** Incremented whenever a worker takes it; only the worker with the newest value may record deliveries. */
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
  /** The id of the resource that the event is about. */
  subject: string;
  /** The position among the owner's events; null until it is assigned (storage/event-positions.ts). */
  position: number | null;
  created: Moment;
}

export interface EventPositionsTable {
  account_record: OwnerId;
  /** The last position assigned. */
  position: number;
}

export interface EventDeliveriesTable {
  event: RowId<'event'>;
  destination: RowId<'event_destination'>;
  account_record: OwnerId;
  position: number;
  status: EventDeliveryStatus;
  /** When it was last scheduled: by the event, or again by its owner. */
  attempts: Generated<number>;
  due_at: Moment;
  /** The latest attempts, as JSON with a version (storage/delivery-attempts.ts). */
  log: ColumnType<unknown, string | null, string | null>;
}

/**
 * Events that one event destination gets for the first time, in the order of their positions: waiting until `attempts`
 * is set, and delivered from then on. One that failed becomes a row of `event_deliveries`, and so does one that is sent
 * again, whose row there counts.
 */
export interface EventBatchesTable {
  destination: RowId<'event_destination'>;
  /** Not after the position of any of them. */
  first_position: number;
  account_record: OwnerId;
  events: RowId<'event'>[];
  /** How many they are. */
  size: number;
  due_at: Moment;
  /** The attempt that delivered each, in the same order (storage/batched-events.ts). */
  attempts: string | null;
}

export interface EventTables {
  event_destinations: EventDestinationsTable;
  events: EventsTable;
  event_positions: EventPositionsTable;
  event_deliveries: EventDeliveriesTable;
  event_batches: EventBatchesTable;
}
