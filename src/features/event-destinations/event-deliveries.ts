import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { OutgoingHttp } from '../../platform/outgoing-http.ts';
import type { Db } from '../../storage/database.ts';
import { attemptsOf, loggedAttempts } from '../../storage/delivery-attempts.ts';
import {
  type DeliveryOutcome,
  type DueDelivery,
  dueDeliveries,
  nextDue,
  settleDeliveries,
} from '../../storage/event-deliveries.ts';
import {
  claimEventDestination,
  holdEventDestination,
  setEventDestinationLease,
} from '../../storage/event-destination-leases.ts';
import {
  type EventDestinationChange,
  type EventDestinationRow,
  updateEventDestination,
} from '../../storage/event-destinations.ts';
import type { Jobs } from '../../storage/jobs.ts';
import type { DisabledReason } from '../../vocabulary/event-deliveries.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { eventBody } from '../events/event-body.ts';
import type { EventLog } from '../events/event-log.ts';
import { EVENT_RETRY } from '../events/event-queues.ts';
import { DeliveryStreak, retryDelayMs } from './delivery-streak.ts';
import { attemptDelivery, type EndedAttempt, type Receiver } from './event-attempt.ts';
import type { EventDestinationSecrets } from './event-destination-secrets.ts';
import { inOrderByKey } from './in-order.ts';

/** Events of one destination that are read, sent and written down together. */
const BATCH = 200;
/** Requests to one destination at once. */
const AT_ONCE = 8;
/** After so long no further event of a batch is sent. */
const SLICE_MS = 5_000;
/** Longer than a slice and the last answers: a worker that is late writes nothing. */
const LEASE_MS = 120_000;

/** Delivers events to event destinations (docs/events.md#deliveries). */
export class EventDeliveries {
  readonly #deps: EventDeliveriesDependencies;

  constructor(deps: EventDeliveriesDependencies) {
    this.#deps = deps;
  }

  /** Takes an event destination at which something is due; null for none. @param except owners who have their share */
  take(except: readonly RowId<'account_record'>[]): Promise<EventDestinationRow | null> {
    const now = this.#deps.clock.now();
    return claimEventDestination(this.#deps.db, except, new Date(now), new Date(now + LEASE_MS));
  }

  /**
   * Sends what is due at a destination that was taken, for a few seconds at most, writes down how it ended and gives the
   * destination back. Events about the same thing go one after another, in their order. If the process dies, or
   * is stopped, what was sent and not written down is sent again.
   */
  async work(taken: EventDestinationRow, stopping: AbortSignal): Promise<void> {
    const { db, clock } = this.#deps;
    const streak = new DeliveryStreak(taken);
    const due = await dueDeliveries(db, taken.id, new Date(clock.now()), streak.isDoubtful ? 1 : BATCH);
    const outcomes = await this.#sent(taken, due, streak, stopping);
    await this.#settle(taken, outcomes, streak);
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
        const { id, ...body } = eventBody(delivery);
        const bytes = Buffer.from(JSON.stringify({ id, ...body }));
        // Not cut off when the service stops: an answer is seconds away, and without it the event is sent twice.
        const ended = await attemptDelivery(this.#deps, receiver, { id, body: bytes }, never);
        streak.count(ended, clock.now());
        outcomes.push(this.#outcome(delivery, ended));
      },
    );
    return outcomes;
  }

  #outcome(delivery: DueDelivery, ended: EndedAttempt): DeliveryOutcome {
    const { clock, random = Math.random } = this.#deps;
    const { at, durationMs, status, failure, answer, delivered, waitMs } = ended;
    const attempt = { at, durationMs, status, failure, answer };
    const now = clock.now();
    const delay = delivered ? null : retryDelayMs(delivery.attempts + 1, waitMs, random);
    return {
      event: delivery.id,
      attempts: delivery.attempts,
      status: delivered ? 'succeeded' : delay === null ? 'failed' : 'pending',
      dueAt: new Date(now + (delay ?? 0)),
      log: loggedAttempts(attemptsOf(delivery.log), attempt),
    };
  }

  async #settle(
    taken: EventDestinationRow,
    outcomes: readonly DeliveryOutcome[],
    streak: DeliveryStreak,
  ): Promise<void> {
    const { db, clock, log, jobs, events, random = Math.random } = this.#deps;
    const { id, account_record: owner } = taken;
    await db.transaction().execute(async (trx) => {
      const held = await holdEventDestination(trx, taken);
      if (held === null) return;
      await settleDeliveries(trx, id, outcomes);
      const now = clock.now();
      await setEventDestinationLease(trx, taken, null);
      // Disabled while the events were on their way: enabling it signals.
      if (held.status === 'disabled') return;
      const change = outcomes.length === 0 ? null : streak.change(now, random);
      const reason = change === null ? null : streak.disabledReason(now);
      if (change !== null)
        await updateEventDestination(trx, owner, id, { ...change, ...disabling(reason, now) });
      if (reason !== null) {
        await events.record(trx, owner, 'event_destination.disabled', id);
        log.info('an event destination was disabled', { destination: id, reason });
        return;
      }
      const next = await nextDue(trx, id);
      if (next === null) return;
      const startAfter = new Date(Math.max(next.getTime(), change?.resume_at?.getTime() ?? 0));
      // What is due already, this worker finds as soon as it has given the destination back.
      if (startAfter.getTime() <= now) return;
      await jobs.signal(trx, EVENT_RETRY, { destination: id }, { startAfter });
    });
  }
}

export interface EventDeliveriesDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: Pick<Limits, 'event_deadline_ms'>;
  readonly http: Pick<OutgoingHttp, 'request'>;
  readonly jobs: Pick<Jobs, 'signal'>;
  readonly secrets: EventDestinationSecrets;
  readonly events: Pick<EventLog, 'record'>;
  /** From 0 to 1; by default that of the machine. */
  readonly random?: () => number;
}

function disabling(reason: DisabledReason | null, now: number): EventDestinationChange {
  return reason === null ? {} : { status: 'disabled', disabled_reason: reason, updated: new Date(now) };
}

const never = new AbortController().signal;
