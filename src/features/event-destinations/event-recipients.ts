import type { EventDestinationRow } from '../../storage/event-destinations.ts';
import type { EventRow } from '../../storage/events.ts';
import { selectsKind } from '../../vocabulary/event-selectors.ts';

type Subscription = Pick<EventDestinationRow, 'id' | 'enabled_events'>;

/** The event destinations that an event is for: a ping is for the one that was pinged. */
export function recipientsOf(
  { kind, subject }: Pick<EventRow, 'kind' | 'subject'>,
  subscriptions: readonly Subscription[],
): readonly Subscription['id'][] {
  const isMeant =
    kind === 'event_destination.ping'
      ? ({ id }: Subscription) => id === subject
      : ({ enabled_events: selectors }: Subscription) => selectsKind(selectors, kind);
  return subscriptions.filter(isMeant).map(({ id }) => id);
}
