import type { EventRow } from '../../storage/events.ts';
import { EVENT_KINDS, type EventKind } from '../../vocabulary/event-kinds.ts';
import { publicId, rowId } from '../../vocabulary/ids.ts';

/** What an event is about, as its body names it: a receiver reads the rest with its own key. */
export interface RelatedObject {
  readonly id: string;
  readonly object: (typeof EVENT_KINDS)[EventKind]['of'];
  /** The path of v2 that reads it. */
  readonly url: string;
}

/** An event as v2 shows it and as event destinations receive it (docs/events.md#the-body). */
export interface EventBody {
  readonly id: string;
  readonly object: 'event';
  readonly type: EventKind;
  /** RFC 3339, in UTC. */
  readonly created: string;
  readonly livemode: true;
  /** Whose event it is, for a receiver of several. */
  readonly account_record: string;
  readonly related_object: RelatedObject;
  readonly data: null;
}

/** The paths of v2 for the subjects of events. */
const PATHS: Readonly<Record<RelatedObject['object'], string>> = {
  connection: 'connections',
  consent: 'consents',
  sync_run: 'sync_runs',
  destination: 'destinations',
  sync: 'syncs',
  api_key: 'api_keys',
  event_destination: 'event_destinations',
};

/** Always the same for an event, so that a receiver can compare two copies. */
export function eventBody({
  id,
  account_record: owner,
  kind,
  subject,
  created,
}: Pick<EventRow, 'id' | 'account_record' | 'kind' | 'subject' | 'created'>): EventBody {
  const resource = EVENT_KINDS[kind].of;
  const about = publicId(resource, rowId(resource, subject));
  return {
    id: publicId('event', id),
    object: 'event',
    type: kind,
    created: created.toISOString(),
    livemode: true,
    account_record: publicId('account_record', owner),
    related_object: { id: about, object: resource, url: `/v2/${PATHS[resource]}/${about}` },
    data: null,
  };
}
