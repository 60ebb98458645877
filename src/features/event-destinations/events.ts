import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../storage/database.ts';
import { deliveriesOfEvent, type EventDeliveryRow, sendAgain } from '../../storage/event-deliveries.ts';
import { type EventDestinationRow, holdSubscriptions } from '../../storage/event-destinations.ts';
import { type EventRow, findEvent, listEvents, lockEvent } from '../../storage/events.ts';
import type { Notices } from '../../storage/notices.ts';
import type { EventKind } from '../../vocabulary/event-kinds.ts';
import { selectsKind } from '../../vocabulary/event-selectors.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import type { Page, PageRequest } from '../../vocabulary/paging.ts';
import { missing, ServiceError } from '../../vocabulary/service-error.ts';

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

type Id = RowId<'event'>;

export interface EventsDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly notices: Pick<Notices, 'publish'>;
}

/** Events as their owner reads them, and sends again (docs/events.md). */
export class Events {
  readonly #deps: EventsDependencies;

  constructor(deps: EventsDependencies) {
    this.#deps = deps;
  }

  /** @param kinds only these; null for all */
  list(owner: OwnerId, kinds: readonly EventKind[] | null, page: PageRequest): Promise<Page<EventRow>> {
    return listEvents(this.#deps.db, owner, kinds, page);
  }

  /** Raises `resource_missing`. */
  async read(owner: OwnerId, id: Id): Promise<EventRow> {
    const event = await findEvent(this.#deps.db, owner, id);
    if (event === null) throw missing('event');
    return event;
  }

  /** Its deliveries, by event destination. Raises `resource_missing`. */
  async deliveries(owner: OwnerId, id: Id): Promise<readonly EventDeliveryRow[]> {
    await this.read(owner, id);
    return deliveriesOfEvent(this.#deps.db, owner, id);
  }

  /**
   * Sends it again, with a full set of attempts, to every enabled event destination that now subscribes to its kind; a
   * ping to the one that was pinged. One that has not been fanned out yet is about to be sent anyway. Raises
   * `resource_missing` and `no_subscribed_destination`.
   */
  async redeliver(owner: OwnerId, id: Id): Promise<EventRow> {
    const { db, clock, notices } = this.#deps;
    return db.transaction().execute(async (trx) => {
      const event = await lockEvent(trx, owner, id);
      if (event === null) throw missing('event');
      const destinations = recipientsOf(event, await holdSubscriptions(trx, owner, 'change'));
      if (destinations.length === 0) throw new ServiceError('no_subscribed_destination');
      if (event.position === null) return event;
      await sendAgain(trx, { ...event, position: event.position }, destinations, new Date(clock.now()));
      await notices.publish(trx, { kind: 'event_deliveries', id: owner });
      return event;
    });
  }
}
