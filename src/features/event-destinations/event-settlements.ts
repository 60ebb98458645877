import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { withTimeout } from '../../platform/with-timeout.ts';
import type { Db, Trx } from '../../storage/database.ts';
import type { EndedBatch } from '../../storage/event-batches.ts';
import { type DeliveryOutcome, nextDue, settleDeliveries } from '../../storage/event-deliveries.ts';
import {
  type EventDestinationLease,
  giveBackEventDestinations,
  holdEventDestinations,
} from '../../storage/event-destination-leases.ts';
import { type EventDestinationRow, updateEventDestination } from '../../storage/event-destinations.ts';
import { persistently } from '../../storage/retryable-transaction.ts';
import type { DisabledReason } from '../../vocabulary/event-deliveries.ts';
import { publicId } from '../../vocabulary/ids.ts';
import { EVENT_DESTINATION_MOVES, StatusMove } from '../../vocabulary/states.ts';
import type { EventLog } from '../events/event-log.ts';
import type { DeliveryStreak, StreakChange } from './delivery-streak.ts';

type DestinationId = EventDestinationRow['id'];

/** Outcomes that one transaction writes, unless a single event destination has more; others wait. */
const TOGETHER = 1000;

/**
 * How long the first to end waits for others that are in progress, because events that are sent together end together.
 */
const GATHER_MS = 15;

/** The result of the work on one event destination. */
export interface Settlement {
  readonly taken: EventDestinationLease & Pick<EventDestinationRow, 'account_record'>;
  readonly outcomes: readonly DeliveryOutcome[];
  readonly batches: readonly EndedBatch[];
  readonly streak: DeliveryStreak;
  /** Whether everything that was due when it was taken has been delivered. */
  readonly isEmpty: boolean;
}

/** What is to be written. */
interface Judged extends Settlement {
  /** Null if nothing was sent, or it was disabled meanwhile. */
  readonly change: StreakChange | null;
  readonly reason: DisabledReason | null;
  readonly isDisabled: boolean;
}

interface Waiting {
  readonly settlement: Settlement;
  readonly settled: PromiseWithResolvers<boolean>;
}

export interface EventSettlementsDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly events: Pick<EventLog, 'record'>;
  /** A random number from 0 to 1; the runtime's by default. */
  readonly random?: () => number;
}

/**
 * Records the results of deliveries and releases event destinations. Those that end at about the same time, or while a
 * transaction is in progress, share one, so that a burst to many costs few statements, and a single one does not wait.
 */
export class EventSettlements {
  readonly #deps: EventSettlementsDependencies;
  #waiting: Waiting[] = [];
  #isWriting = false;
  /** Settlements that are still to come. */
  #coming = 0;
  #allCame = Promise.withResolvers<void>();

  constructor(deps: EventSettlementsDependencies) {
    this.#deps = deps;
  }

  /**
   * Resolves once it is committed, with whether more may already be due for the event destination. Raises what `coming`
   * and the database raise.
   */
  async settle(coming: Promise<Settlement>): Promise<boolean> {
    this.#coming += 1;
    const settled = Promise.withResolvers<boolean>();
    try {
      this.#waiting.push({ settlement: await coming, settled });
    } finally {
      this.#coming -= 1;
      if (this.#coming === 0) this.#allCame.resolve();
    }
    if (!this.#isWriting) void this.#write();
    return settled.promise;
  }

  async #write(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      await this.#gathered();
      const group = this.#waiting.splice(0, this.#together());
      try {
        const due = await this.#commit(group.map(({ settlement }) => settlement));
        for (const { settlement, settled } of group) settled.resolve(due.has(settlement.taken.id));
      } catch (error) {
        await this.#apart(group, error);
      }
    }
    this.#isWriting = false;
  }

  async #gathered(): Promise<void> {
    if (this.#coming === 0) return;
    this.#allCame = Promise.withResolvers();
    // By the machine's clock, because this is about what the machine does at once, not about when something is due.
    await withTimeout(this.#allCame.promise, GATHER_MS).catch(() => undefined);
  }

  #together(): number {
    let outcomes = 0;
    const end = this.#waiting.findIndex(({ settlement }) => {
      outcomes += settlement.outcomes.length;
      return outcomes > TOGETHER;
    });
    return end === -1 ? this.#waiting.length : Math.max(1, end);
  }

  /** A failure of one must not affect the others: each is tried once, since the leases of all are running out. */
  async #apart(group: readonly Waiting[], error: unknown): Promise<void> {
    for (const { settlement, settled } of group) {
      if (group.length === 1) settled.reject(error);
      else {
        const { id } = settlement.taken;
        await this.#tryCommit([settlement]).then((due) => settled.resolve(due.has(id)), settled.reject);
      }
    }
  }

  /**
   * Returns those for which more may already be due. Tried again while the database is briefly unreachable: results that
   * are not recorded are sent again, and the event destination would wait until its lease ends. A repeat after a commit
   * whose answer was lost writes the same, or nothing if another worker has taken the event destination since.
   */
  #commit(settlements: readonly Settlement[]): Promise<ReadonlySet<DestinationId>> {
    return persistently(this.#deps.clock, () => this.#tryCommit(settlements));
  }

  #tryCommit(settlements: readonly Settlement[]): Promise<ReadonlySet<DestinationId>> {
    const { db } = this.#deps;
    return db.transaction().execute(async (trx) => {
      const held = await holdEventDestinations(
        trx,
        settlements.map(({ taken }) => taken),
      );
      const statuses = new Map(held.map(({ id, status }) => [id, status]));
      const mine = settlements.filter(({ taken }) => statuses.has(taken.id));
      if (mine.length === 0) return new Set();
      await settleDeliveries(
        trx,
        mine.flatMap(({ outcomes }) => outcomes),
        mine.flatMap(({ batches }) => batches),
      );
      const judged = mine.map((one) => this.#judged(one, statuses.get(one.taken.id) === 'disabled'));
      await giveBackEventDestinations(
        trx,
        judged.map(({ taken, change }) => ({ id: taken.id, change })),
      );
      for (const one of judged) if (one.reason !== null) await this.#disable(trx, one, one.reason);
      return this.#dueAlready(
        trx,
        // Enabling one that is disabled signals.
        judged.filter(({ isDisabled, reason, isEmpty }) => !isDisabled && reason === null && !isEmpty),
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
    const by = reason === 'gone' ? 'its receiver answered 410' : 'deliveries failed for 5 days';
    const moved = StatusMove.of(EVENT_DESTINATION_MOVES, by, 'enabled');
    const change = { moved, disabled_reason: reason, updated: new Date(clock.now()) };
    await updateEventDestination(trx, owner, id, change);
    await events.record(trx, owner, moved.row.emits, id);
    log.info('an event destination was disabled', { destination: publicId('event_destination', id), reason });
  }

  /** If the next delivery is due now. Workers find those that become due later. */
  async #dueAlready(trx: Trx, judged: readonly Judged[]): Promise<ReadonlySet<DestinationId>> {
    const dueNow = new Set<DestinationId>();
    if (judged.length === 0) return dueNow;
    const { clock } = this.#deps;
    const next = await nextDue(
      trx,
      judged.map(({ taken }) => taken.id),
    );
    for (const { taken, change } of judged) {
      const due = next.get(taken.id);
      if (due === undefined) continue;
      const startAfter = Math.max(due.getTime(), change?.resume_at?.getTime() ?? 0);
      if (startAfter <= clock.now()) dueNow.add(taken.id);
    }
    return dueNow;
  }
}
