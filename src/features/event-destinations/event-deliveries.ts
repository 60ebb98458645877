import type { Metrics } from '../../platform/metrics.ts';
import type { OutgoingHttp } from '../../platform/outgoing-http.ts';
import { inSpan } from '../../platform/tracing.ts';
import type { EndedBatch, TakenBatch } from '../../storage/event-batches.ts';
import type { DeliveryOutcome, DueDelivery } from '../../storage/event-deliveries.ts';
import {
  type Claim,
  claimEventDestinations,
  type Places,
  type TakenDestination,
} from '../../storage/event-destination-leases.ts';
import type { EventDestinationRow } from '../../storage/event-destinations.ts';
import { publicId, type RowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { EVENT_DELIVERY_MOVES, StatusMove } from '../../vocabulary/states.ts';
import { eventBody } from '../events/event-body.ts';
import {
  attemptDelivery,
  DeliveryStreak,
  type EndedAttempt,
  type Receiver,
  retryDelayMs,
} from './delivery-streak.ts';
import type { EventDestinationSecrets } from './event-destination-secrets.ts';
import { EventSettlements, type EventSettlementsDependencies, type Settlement } from './event-settlements.ts';

/** About 300 bytes each, no matter whose they are. */
const REMEMBERED = 2_000;

/** An event as it is sent. */
interface SentEvent {
  /** As receivers see it. */
  readonly id: string;
  readonly body: Buffer;
}

/** Builds the body of an event once for all event destinations that receive it at about the same time. */
class EventBodies {
  readonly #written = new Map<RowId<'event'>, SentEvent>();

  of(event: Parameters<typeof eventBody>[0]): SentEvent {
    const known = this.#written.get(event.id);
    if (known !== undefined) return known;
    const body = eventBody(event);
    const sent = { id: body.id, body: ownBytes(JSON.stringify(body)) };
    const [oldest] = this.#written.keys();
    if (oldest !== undefined && this.#written.size >= REMEMBERED) this.#written.delete(oldest);
    this.#written.set(event.id, sent);
    return sent;
  }
}

/** `Buffer.from` would cut them from a slab of 64 KiB, all of which is in memory for as long as they are. */
function ownBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

/** Event destinations that are taken together, and events of each that are read, sent and recorded together. */
const AT_A_TIME = { most: 16, batch: 200 };
/** Requests to one destination at once. */
const AT_ONCE = 8;
/** After this time, no further event of a batch is sent. */
const SLICE_MS = 5_000;
/** Longer than a slice and the last responses. Afterwards, another worker may take it, and this one records nothing. */
const LEASE_MS = 120_000;

/** Delivers events to event destinations (docs/events.md#deliveries). */
export class EventDeliveries {
  readonly #deps: EventDeliveriesDependencies;
  readonly #settlements: EventSettlements;
  readonly #bodies = new EventBodies();

  constructor(deps: EventDeliveriesDependencies) {
    this.#deps = deps;
    this.#settlements = new EventSettlements(deps);
  }

  /** Takes event destinations for which something is due, as many as one statement takes, possibly none. */
  take(places: Places): Promise<Claim> {
    const now = this.#deps.clock.now();
    return claimEventDestinations(this.#deps.db, places, AT_A_TIME, new Date(now), new Date(now + LEASE_MS));
  }

  /**
   * Sends what is due for a taken destination, for a few seconds at most, records the results and releases the
   * destination. Events about the same thing are sent one after another, in order. If the process dies or is stopped,
   * what was sent but not recorded is sent again. Returns whether more may be due already; events recorded since it was
   * taken do not count.
   */
  work(taken: TakenDestination, stopping: AbortSignal): Promise<boolean> {
    return this.#settlements.settle(this.#delivered(taken, stopping));
  }

  async #delivered(
    { destination, due, batches, more }: TakenDestination,
    stopping: AbortSignal,
  ): Promise<Settlement> {
    const streak = new DeliveryStreak(destination);
    const sending = streak.isDoubtful ? due.slice(0, 1) : due;
    const outcomes = await this.#sent(destination, sending, streak, stopping);
    const delivered = outcomes.filter(({ moved }) => moved?.to === 'succeeded').length;
    for (const { moved } of outcomes)
      this.#deps.metrics.delivery('event_destination', moved?.to === 'succeeded' ? 'succeeded' : 'failed');
    return {
      taken: destination,
      outcomes,
      batches: endedBatches(destination.id, batches, due, outcomes),
      streak,
      isEmpty: !more && delivered === due.length,
    };
  }

  async #sent(
    taken: EventDestinationRow,
    due: readonly DueDelivery[],
    streak: DeliveryStreak,
    stopping: AbortSignal,
  ): Promise<readonly DeliveryOutcome[]> {
    const { clock, secrets } = this.#deps;
    const receiver: Receiver = {
      owner: taken.account_record,
      url: secrets.url(taken),
      secrets: secrets.signingSecrets(taken, clock.now()),
    };
    const until = clock.now() + SLICE_MS;
    const outcomes: DeliveryOutcome[] = [];
    await inOrderByKey(
      due,
      AT_ONCE,
      ({ subject }) => subject,
      async (delivery) => {
        if (stopping.aborted || streak.isBroken || clock.now() >= until) return;
        const ended = await this.#traced(taken, receiver, delivery);
        streak.count(ended, clock.now());
        outcomes.push(this.#outcome(taken, delivery, ended));
      },
    );
    return outcomes;
  }

  #traced(taken: EventDestinationRow, receiver: Receiver, delivery: DueDelivery): Promise<EndedAttempt> {
    const attributes = {
      'tributary.event': publicId('event', delivery.id),
      'tributary.attempt': delivery.attempts + 1,
    };
    return inSpan('deliver event', { kind: 'producer', attributes }, async (span) => {
      const ended = await this.#attempted(taken, receiver, delivery);
      if (ended.failure !== null) span?.fail(ended.failure);
      return ended;
    });
  }

  /**
   * An internal error counts as a failed attempt, so that other results are still recorded, and it is not retried at
   * once.
   */
  async #attempted(
    { id, account_record }: EventDestinationRow,
    receiver: Receiver,
    delivery: DueDelivery,
  ): Promise<EndedAttempt> {
    const at = this.#deps.clock.now();
    try {
      return await attemptDelivery(this.#deps, receiver, this.#bodies.of({ ...delivery, account_record }));
    } catch (error) {
      this.#deps.log.error(
        'an event could not be sent',
        { destination: publicId('event_destination', id) },
        error,
      );
      const nothing = { durationMs: 0, status: null, answer: null, gone: false, waitMs: null } as const;
      return { ...nothing, at, failure: 'connection', delivered: false };
    }
  }

  #outcome(taken: EventDestinationRow, delivery: DueDelivery, ended: EndedAttempt): DeliveryOutcome {
    const { clock, random = Math.random } = this.#deps;
    const { at, durationMs, status, failure, answer, delivered, waitMs } = ended;
    const attempt = { at, durationMs, status, failure, answer };
    const now = clock.now();
    const delay = delivered ? null : retryDelayMs(delivery.attempts + 1, waitMs, random);
    return {
      destination: taken.id,
      due: delivery,
      moved:
        !delivered && delay !== null
          ? null
          : StatusMove.of(
              EVENT_DELIVERY_MOVES,
              delivered ? 'answered with 2xx' : 'the last attempt failed',
              'pending',
            ),
      dueAt: new Date(now + (delay ?? 0)),
      attempt,
    };
  }
}

export interface EventDeliveriesDependencies extends EventSettlementsDependencies {
  readonly limits: Pick<Limits, 'event_deadline_ms'>;
  readonly http: Pick<OutgoingHttp, 'request'>;
  readonly metrics: Pick<Metrics, 'delivery'>;
  readonly secrets: EventDestinationSecrets;
}

/** The result for each batch that was taken; one of which nothing was sent stays as it is. */
function endedBatches(
  destination: EventDestinationRow['id'],
  batches: readonly TakenBatch[],
  due: readonly DueDelivery[],
  outcomes: readonly DeliveryOutcome[],
): readonly EndedBatch[] {
  if (batches.length === 0) return [];
  const byEvent = new Map(
    outcomes.flatMap((outcome) => (outcome.due.batch === null ? [] : [[outcome.due.id, outcome]])),
  );
  const events = Map.groupBy(due, ({ batch }) => batch);
  return batches.flatMap(({ batch, size }): EndedBatch[] => {
    const mine = (events.get(batch) ?? []).map(({ id: event, position }) => ({
      event,
      position,
      outcome: byEvent.get(event),
    }));
    const waiting = mine.filter(({ outcome }) => outcome === undefined);
    if (waiting.length === mine.length && mine.length > 0) return [];
    const delivered = mine.flatMap(({ event, position, outcome }) =>
      outcome?.moved?.to === 'succeeded' ? [{ event, position, attempt: outcome.attempt }] : [],
    );
    return [{ destination, batch, size, delivered, waiting }];
  });
}

/**
 * Does the work for every item, a limited number at a time, and for items with the same key one after another in order.
 * Raises what the work raises, once everything in progress has ended.
 */
async function inOrderByKey<T>(
  items: readonly T[],
  atOnce: number,
  keyOf: (item: T) => string,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queues = new Map<string, T[]>();
  for (const item of items) {
    const queue = queues.get(keyOf(item));
    if (queue === undefined) queues.set(keyOf(item), [item]);
    else queue.push(item);
  }
  const waiting = [...queues.values()].values();
  const lane = async (): Promise<void> => {
    for (const queue of waiting) for (const item of queue) await work(item);
  };
  const lanes = Array.from({ length: Math.min(atOnce, queues.size) }, lane);
  const ended = await Promise.allSettled(lanes);
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
}
