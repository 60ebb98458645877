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
  type AttemptsChange,
  claimEventDestinations,
  releaseEventDestination,
} from '../../storage/event-destination-leases.ts';
import type { EventDestinationRow } from '../../storage/event-destinations.ts';
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

  /**
   * Takes at most `limit` event destinations at which something is due, with what is due there.
   *
   * @param except owners who have their share
   */
  async take(except: readonly RowId<'account_record'>[], limit: number): Promise<readonly TakenReceiver[]> {
    const { db, clock } = this.#deps;
    const now = new Date(clock.now());
    const leaseUntil = new Date(now.getTime() + LEASE_MS);
    const destinations = await claimEventDestinations(db, except, now, leaseUntil, limit);
    if (destinations.length === 0) return [];
    const taken = destinations.map((destination) => ({
      destination,
      streak: new DeliveryStreak(destination),
    }));
    const wanted = new Map(
      taken.map(({ destination, streak }) => [destination.id, streak.isDoubtful ? 1 : BATCH]),
    );
    const due = await dueDeliveries(db, wanted, now);
    return taken.map((one) => ({ ...one, due: due.get(one.destination.id) ?? [] }));
  }

  /**
   * Sends what is due at a destination that was taken, for a few seconds at most, writes down how it ended and gives the
   * destination back. Events about the same thing go one after another, in their order. If the process dies, or
   * is stopped, what was sent and not written down is sent again.
   */
  async work({ destination, streak, due }: TakenReceiver, stopping: AbortSignal): Promise<void> {
    const outcomes = await this.#sent(destination, due, streak, stopping);
    await this.#settle(destination, outcomes, streak, outcomes.length === due.length);
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
    allSent: boolean,
  ): Promise<void> {
    const { db, clock, log, jobs, events, random = Math.random } = this.#deps;
    const { id, account_record: owner } = taken;
    await db.transaction().execute(async (trx) => {
      const now = clock.now();
      const change = outcomes.length === 0 ? null : streak.change(now, random);
      const reason = change === null ? null : streak.disabledReason(now);
      const held = await releaseEventDestination(trx, taken, { ...change, ...disabling(reason, now) });
      if (held === null) return;
      await settleDeliveries(trx, id, outcomes);
      // Disabled while the events were on their way: enabling it signals.
      if (held.disabled_reason !== reason) return;
      if (reason !== null) {
        await events.record(trx, owner, 'event_destination.disabled', id);
        log.info('an event destination was disabled', { destination: id, reason });
        return;
      }
      // What has become due meanwhile is found by the worker that did this, and what was put off was signalled then.
      if (allSent && held.resume_at === null && outcomes.every(({ status }) => status !== 'pending')) return;
      const next = await nextDue(trx, id);
      if (next === null) return;
      const startAfter = new Date(Math.max(next.getTime(), held.resume_at?.getTime() ?? 0));
      await jobs.signal(trx, EVENT_RETRY, { destination: id }, { startAfter });
    });
  }
}

/** An event destination in the hands of a worker, with what is due there. */
export interface TakenReceiver {
  readonly destination: EventDestinationRow;
  readonly streak: DeliveryStreak;
  readonly due: readonly DueDelivery[];
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

function disabling(reason: DisabledReason | null, now: number): AttemptsChange {
  return reason === null ? {} : { status: 'disabled', disabled_reason: reason, updated: new Date(now) };
}

const never = new AbortController().signal;
