import type { Clock } from '../../platform/clock.ts';
import type { Db, Trx } from '../../storage/database.ts';
import { insertDeliveries, type NewDelivery } from '../../storage/event-deliveries.ts';
import { subscriptionsOf } from '../../storage/event-destinations.ts';
import { ownersOfWaitingEvents, placeEvents } from '../../storage/event-positions.ts';
import type { Notices } from '../../storage/notices.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import { recipientsOf } from './event-recipients.ts';

type Owner = RowId<'account_record'>;

/** Events of one owner that are handed on together. */
const BATCH = 200;
/** Owners whose turn it is in one round. */
const OWNERS = 100;

/** Gives events their places and hands them to the event destinations that subscribe to them. */
export class EventFanOut {
  readonly #deps: EventFanOutDependencies;

  constructor(deps: EventFanOutDependencies) {
    this.#deps = deps;
  }

  /**
   * One batch of each owner with events that wait, so that a burst of one is not in the way of another. Answers whether
   * there may be more. Raises the first failure, once every owner has had its turn.
   */
  async round(): Promise<boolean> {
    const { db } = this.#deps;
    const owners = await ownersOfWaitingEvents(db, OWNERS);
    const failures: unknown[] = [];
    for (const owner of owners) {
      const batch = db.transaction().execute((trx) => this.#handOn(trx, owner));
      await batch.catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
    return owners.length > 0;
  }

  async #handOn(trx: Trx, owner: Owner): Promise<void> {
    const { clock, notices } = this.#deps;
    const events = await placeEvents(trx, owner, BATCH);
    if (events.length === 0) return;
    const subscriptions = await subscriptionsOf(trx, owner);
    const deliveries = events.flatMap((event) =>
      recipientsOf(event, subscriptions).map((destination): NewDelivery => ({ event, destination })),
    );
    await insertDeliveries(trx, owner, deliveries, new Date(clock.now()));
    // Wakes the streams of the owner, and workers, who look for everything that is due.
    await notices.publish(trx, { kind: 'events', id: owner });
  }
}

export interface EventFanOutDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly notices: Pick<Notices, 'publish'>;
}
