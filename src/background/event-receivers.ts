import type { EventDeliveries, TakenReceiver } from '../features/event-destinations/event-deliveries.ts';
import { EVENT_DELIVERY, EVENT_RETRY } from '../features/events/event-queues.ts';
import type { Clock } from '../platform/clock.ts';
import { mayTake } from '../platform/fair-slots.ts';
import type { Log } from '../platform/log.ts';
import type { EventDestinationRow } from '../storage/event-destinations.ts';
import type { Jobs } from '../storage/jobs.ts';
import type { RowId } from '../vocabulary/ids.ts';
import type { Limits } from '../vocabulary/limits.ts';
import { Periodic } from './periodic.ts';
import { Rounds } from './rounds.ts';

type Owner = RowId<'account_record'>;

/** The lease of a dead worker ends without a notification: it is found by looking. */
const LOOK_MS = 5_000;
/** One account record has at most as many places as are free: alone, half of them. */
const SHARE = 1;
/** What becomes due in quick succession is taken by one statement. */
const PAUSE_MS = 10;
const MOST_AT_ONCE = 32;

export interface ReceiversOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly jobs: Pick<Jobs, 'wakeOn'>;
  readonly deliveries: Pick<EventDeliveries, 'take' | 'work'>;
  readonly limits: Pick<Limits, 'event_receivers_at_once'>;
}

/** Delivers to many event destinations at once, each in a place of its own, so that a slow one holds up no other. */
export class Receivers {
  readonly #options: ReceiversOptions;
  readonly #rounds: Rounds;
  readonly #looking: Periodic;
  readonly #stopping = new AbortController();
  readonly #inHand = new Map<
    EventDestinationRow['id'],
    { readonly owner: Owner; readonly work: Promise<void> }
  >();

  constructor(options: ReceiversOptions) {
    this.#options = options;
    const pause = () => options.clock.sleep(PAUSE_MS, this.#stopping.signal).catch(() => undefined);
    this.#rounds = new Rounds(options.log, 'delivering events', () => this.#takeSome(), pause);
    this.#looking = new Periodic(options, 'events to deliver', LOOK_MS, async () => this.#rounds.wake());
  }

  async start(): Promise<void> {
    for (const queue of [EVENT_DELIVERY, EVENT_RETRY]) {
      await this.#options.jobs.wakeOn(queue, () => this.#rounds.wake());
    }
    this.#looking.start();
  }

  /** Sends nothing more, and waits for the answers under way for as long as `deadlineMs`. */
  async stop(deadlineMs: number): Promise<void> {
    this.#stopping.abort();
    await this.#looking.stop();
    await this.#rounds.stop();
    const done = new AbortController();
    const late = this.#options.clock.sleep(deadlineMs, done.signal).catch(() => undefined);
    await Promise.race([Promise.allSettled([...this.#inHand.values()].map(({ work }) => work)), late]);
    done.abort();
  }

  async #takeSome(): Promise<boolean> {
    const { deliveries, limits } = this.#options;
    const free = limits.event_receivers_at_once - this.#inHand.size;
    if (this.#stopping.signal.aborted || free <= 0) return false;
    const held = this.#held();
    const atTheirShare = [...held]
      .filter(([, count]) => !mayTake(count, free, SHARE))
      .map(([owner]) => owner);
    const others = [...held.values()].filter((count) => mayTake(count, free, SHARE));
    const taken = await deliveries.take(atTheirShare, takenAtOnce(free, Math.max(0, ...others)));
    for (const one of taken) this.#work(one);
    return taken.length > 0;
  }

  #held(): ReadonlyMap<Owner, number> {
    const held = new Map<Owner, number>();
    for (const { owner } of this.#inHand.values()) held.set(owner, (held.get(owner) ?? 0) + 1);
    return held;
  }

  #work(taken: TakenReceiver): void {
    const { deliveries, log } = this.#options;
    const { id, account_record: owner } = taken.destination;
    const work = deliveries
      .work(taken, this.#stopping.signal)
      .catch((error: unknown) => log.error('events were not delivered', { destination: id }, error))
      .finally(() => {
        this.#inHand.delete(id);
        this.#rounds.wake();
      });
    this.#inHand.set(id, { owner, work });
  }
}

/** How many may be taken by one statement, so that an owner that got them all would still have no more than its share. */
function takenAtOnce(free: number, mostHeld: number): number {
  return Math.max(1, Math.min(MOST_AT_ONCE, Math.floor((free - mostHeld) / 2)));
}
