import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { BATCH_EVENTS } from '../../storage/batched-events.ts';
import type { Db, Trx } from '../../storage/database.ts';
import { insertBatches } from '../../storage/event-batches.ts';
import { holdSubscriptions } from '../../storage/event-destinations.ts';
import { ownersOfWaitingEvents, placeEvents } from '../../storage/event-positions.ts';
import type { Notices } from '../../storage/notices.ts';
import type { EventKind } from '../../vocabulary/event-kinds.ts';
import { type OwnerId, publicId } from '../../vocabulary/ids.ts';
import { isStoreUnavailable } from '../../vocabulary/store-unavailable.ts';
import { recipientsOf } from './events.ts';

/** Owners found by one statement. */
const OWNERS = 100;
/** The delay before an owner whose events could not be fanned out is tried again; it costs the others little. */
const REST_MS = 5_000;
const never = new AbortController().signal;

/** Numbers events and queues them for the event destinations that subscribe to them. */
export class EventFanOut {
  readonly #deps: EventFanOutDependencies;
  /** Owners whose events could not be fanned out, and until when they are skipped. */
  readonly #resting = new Map<OwnerId, number>();

  constructor(deps: EventFanOutDependencies) {
    this.#deps = deps;
  }

  /**
   * Handles one batch of each owner with waiting events, so that neither a burst nor a failure of one delays others.
   * Returns whether there may be more. Raises only if the database is unreachable.
   */
  async round(stopping: AbortSignal = never): Promise<boolean> {
    let more = false;
    let after: OwnerId | null = null;
    do {
      const owners = await ownersOfWaitingEvents(this.#deps.db, after, OWNERS);
      for (const owner of owners) {
        if (stopping.aborted) return false;
        if (await this.#turn(owner)) more = true;
      }
      after = owners.length < OWNERS ? null : (owners.at(-1) ?? null);
    } while (after !== null);
    return more;
  }

  /** Returns whether the owner may have more. */
  async #turn(owner: OwnerId): Promise<boolean> {
    const { db, clock, log } = this.#deps;
    if ((this.#resting.get(owner) ?? 0) > clock.now()) return false;
    try {
      const placed = await db.transaction().execute((trx) => this.#handOn(trx, owner));
      return placed === BATCH_EVENTS;
    } catch (error) {
      if (isStoreUnavailable(error)) throw error;
      log.error(
        'events could not be handed on; trying again',
        { account_record: publicId('account_record', owner) },
        error,
      );
      this.#rest(owner);
      return false;
    }
  }

  #rest(owner: OwnerId): void {
    const now = this.#deps.clock.now();
    for (const [one, until] of this.#resting) if (until <= now) this.#resting.delete(one);
    this.#resting.set(owner, now + REST_MS);
  }

  /** Returns how many. */
  async #handOn(trx: Trx, owner: OwnerId): Promise<number> {
    const { clock, notices } = this.#deps;
    const events = await placeEvents(trx, owner, BATCH_EVENTS);
    if (events.length === 0) return 0;
    await this.#deps.alsoTo(trx, owner, events);
    const subscriptions = await holdSubscriptions(trx, owner, 'presence');
    const received = events.flatMap((event) =>
      recipientsOf(event, subscriptions).map((destination) => ({ destination, event })),
    );
    const batches = [...Map.groupBy(received, ({ destination }) => destination)].map(
      ([destination, some]) => ({ destination, events: some.map(({ event }) => event) }),
    );
    await insertBatches(trx, owner, batches, new Date(clock.now()));
    const streams = { kind: 'events', id: owner } as const;
    const workers = { kind: 'event_deliveries', id: owner } as const;
    await notices.publish(trx, streams, ...(batches.length === 0 ? [] : [workers]));
    return events.length;
  }
}

export interface EventFanOutDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly notices: Pick<Notices, 'publish'>;
  /** Who gets the events beside event destinations, in the same transaction. */
  readonly alsoTo: (
    trx: Trx,
    owner: OwnerId,
    events: readonly { readonly kind: EventKind; readonly subject: string }[],
  ) => Promise<void>;
}
