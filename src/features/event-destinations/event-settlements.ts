import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Db, Trx } from '../../storage/database.ts';
import { type DeliveryOutcome, nextDue, settleDeliveries } from '../../storage/event-deliveries.ts';
import {
  type EventDestinationLease,
  giveBackEventDestinations,
  holdEventDestinations,
} from '../../storage/event-destination-leases.ts';
import { type EventDestinationRow, updateEventDestination } from '../../storage/event-destinations.ts';
import type { Jobs } from '../../storage/jobs.ts';
import type { DisabledReason } from '../../vocabulary/event-deliveries.ts';
import type { EventLog } from '../events/event-log.ts';
import { EVENT_RETRY } from '../events/event-queues.ts';
import type { DeliveryStreak, StreakChange } from './delivery-streak.ts';

/** Outcomes that one transaction writes, unless those of one event destination are more: others wait for it. */
const TOGETHER = 1000;

/** How the work on one event destination ended. */
export interface Settlement {
  readonly taken: EventDestinationLease & Pick<EventDestinationRow, 'account_record'>;
  readonly outcomes: readonly DeliveryOutcome[];
  readonly streak: DeliveryStreak;
}

/** What is to be written of it. */
interface Judged extends Settlement {
  /** Null where nothing was sent, or it was disabled meanwhile. */
  readonly change: StreakChange | null;
  readonly reason: DisabledReason | null;
  readonly isDisabled: boolean;
}

interface Waiting {
  readonly settlement: Settlement;
  readonly settled: PromiseWithResolvers<void>;
}

export interface EventSettlementsDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly jobs: Pick<Jobs, 'signal'>;
  readonly events: Pick<EventLog, 'record'>;
  /** From 0 to 1; by default that of the machine. */
  readonly random?: () => number;
}

/**
 * Writes down how deliveries ended and gives event destinations back: those that end while a transaction is under way
 * share the next one, so that a burst to many costs few statements and one alone waits for nobody.
 */
export class EventSettlements {
  readonly #deps: EventSettlementsDependencies;
  #waiting: Waiting[] = [];
  #isWriting = false;

  constructor(deps: EventSettlementsDependencies) {
    this.#deps = deps;
  }

  /** Resolves once it is committed. Raises what the database raises. */
  settle(settlement: Settlement): Promise<void> {
    const settled = Promise.withResolvers<void>();
    this.#waiting.push({ settlement, settled });
    if (!this.#isWriting) void this.#write();
    return settled.promise;
  }

  async #write(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, this.#together());
      try {
        await this.#commit(group.map(({ settlement }) => settlement));
        for (const { settled } of group) settled.resolve();
      } catch (error) {
        await this.#apart(group, error);
      }
    }
    this.#isWriting = false;
  }

  #together(): number {
    let outcomes = 0;
    const end = this.#waiting.findIndex(({ settlement }) => {
      outcomes += settlement.outcomes.length;
      return outcomes > TOGETHER;
    });
    return end === -1 ? this.#waiting.length : Math.max(1, end);
  }

  /** What one of them fails with must not be the end of the others. */
  async #apart(group: readonly Waiting[], error: unknown): Promise<void> {
    for (const { settlement, settled } of group) {
      if (group.length === 1) settled.reject(error);
      else await this.#commit([settlement]).then(settled.resolve, settled.reject);
    }
  }

  #commit(settlements: readonly Settlement[]): Promise<void> {
    const { db } = this.#deps;
    return db.transaction().execute(async (trx) => {
      const held = await holdEventDestinations(
        trx,
        settlements.map(({ taken }) => taken),
      );
      if (held.length === 0) return;
      const statuses = new Map(held.map(({ id, status }) => [id, status]));
      const mine = settlements.filter(({ taken }) => statuses.has(taken.id));
      await settleDeliveries(
        trx,
        mine.flatMap(({ outcomes }) => outcomes),
      );
      const judged = mine.map((one) => this.#judged(one, statuses.get(one.taken.id) === 'disabled'));
      await giveBackEventDestinations(
        trx,
        judged.map(({ taken, change }) => ({ id: taken.id, change })),
      );
      for (const one of judged) if (one.reason !== null) await this.#disable(trx, one, one.reason);
      await this.#signalNext(
        trx,
        // Enabling one that is disabled signals.
        judged.filter(({ isDisabled, reason }) => !isDisabled && reason === null),
      );
    });
  }

  #judged(settlement: Settlement, isDisabled: boolean): Judged {
    const { clock, random = Math.random } = this.#deps;
    const { outcomes, streak } = settlement;
    const now = clock.now();
    const change = isDisabled || outcomes.length === 0 ? null : streak.change(now, random);
    const reason = change === null ? null : streak.disabledReason(now);
    return { ...settlement, change, reason, isDisabled };
  }

  async #disable(trx: Trx, { taken }: Judged, reason: DisabledReason): Promise<void> {
    const { clock, events, log } = this.#deps;
    const { id, account_record: owner } = taken;
    const change = { status: 'disabled', disabled_reason: reason, updated: new Date(clock.now()) } as const;
    await updateEventDestination(trx, owner, id, change);
    await events.record(trx, owner, 'event_destination.disabled', id);
    log.info('an event destination was disabled', { destination: id, reason });
  }

  async #signalNext(trx: Trx, judged: readonly Judged[]): Promise<void> {
    if (judged.length === 0) return;
    const { clock, jobs } = this.#deps;
    const next = await nextDue(
      trx,
      judged.map(({ taken }) => taken.id),
    );
    for (const { taken, change } of judged) {
      const due = next.get(taken.id);
      if (due === undefined) continue;
      const startAfter = new Date(Math.max(due.getTime(), change?.resume_at?.getTime() ?? 0));
      // What is due already, this worker finds as soon as it has given the destination back.
      if (startAfter.getTime() <= clock.now()) continue;
      await jobs.signal(trx, EVENT_RETRY, { destination: taken.id }, { startAfter });
    }
  }
}
