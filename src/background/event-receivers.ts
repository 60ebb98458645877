import type { EventDeliveries } from '../features/event-destinations/event-deliveries.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { failureType, inRoot, NO_TRACING, type Tracing } from '../platform/tracing.ts';
import type { TakenDestination } from '../storage/event-destination-leases.ts';
import type { Notices } from '../storage/notices.ts';
import { type OwnerId, publicId } from '../vocabulary/ids.ts';
import type { Limits } from '../vocabulary/limits.ts';
import { Periodic, Rounds } from './periodic.ts';

/** Receivers that are due within moments of each other are taken together. */
const PAUSE_MS = 10;

export interface ReceiversOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly notices: Pick<Notices, 'onNotice' | 'onLost'>;
  readonly deliveries: Pick<EventDeliveries, 'take' | 'work'>;
  readonly limits: Pick<Limits, 'event_receivers_at_once'>;
  /** By default, no traces. */
  readonly tracing?: Tracing;
}

/**
 * Delivers to many event destinations at once, each in its own slot, so that a slow one delays no other. One
 * account record has at most as many slots as are free: alone, half of them.
 */
export class Receivers {
  readonly #options: ReceiversOptions;
  readonly #rounds: Rounds;
  readonly #looking: Periodic;
  readonly #stopping = new AbortController();
  readonly #active = new Set<{ readonly owner: OwnerId; readonly work: Promise<void> }>();
  #looks = 0;
  /** Whether nothing waited for a slot after the latest check. */
  #tookAll = true;

  constructor(options: ReceiversOptions) {
    this.#options = options;
    const pause = () => options.clock.sleep(PAUSE_MS, this.#stopping.signal).catch(() => undefined);
    this.#rounds = new Rounds(options.log, 'delivering events', () => this.#take(), pause);
    this.#looking = new Periodic(options, 'events to deliver', async () => this.#rounds.wake());
  }

  start(): void {
    const { notices } = this.#options;
    notices.onNotice(({ kind }) => {
      if (kind === 'event_deliveries') this.#rounds.wake();
    });
    notices.onLost(() => this.#rounds.wake());
    this.#looking.start();
  }

  /** Sends nothing more, and waits up to `deadlineMs` for the answers of requests in progress. */
  async stop(deadlineMs: number): Promise<void> {
    this.#stopping.abort();
    await this.#looking.stop();
    await this.#rounds.stop();
    const done = new AbortController();
    const late = this.#options.clock.sleep(deadlineMs, done.signal).catch(() => undefined);
    await Promise.race([Promise.allSettled([...this.#active].map(({ work }) => work)), late]);
    done.abort();
  }

  async #take(): Promise<boolean> {
    const { deliveries, limits } = this.#options;
    const free = limits.event_receivers_at_once - this.#active.size;
    this.#looks += 1;
    this.#tookAll = false;
    if (this.#stopping.signal.aborted || free <= 0) return false;
    const held = new Map<OwnerId, number>();
    for (const { owner } of this.#active) held.set(owner, (held.get(owner) ?? 0) + 1);
    const { taken, isAll } = await deliveries.take({ free, held });
    this.#tookAll = isAll;
    for (const one of taken) this.#work(one);
    return taken.length > 0 && !isAll;
  }

  #work(taken: TakenDestination): void {
    const { id, account_record: owner } = taken.destination;
    const { deliveries, log, tracing = NO_TRACING } = this.#options;
    const looks = this.#looks;
    const destination = publicId('event_destination', id);
    const root = {
      name: 'deliver events',
      kind: 'producer',
      requestId: null,
      place: 'later',
      attributes: { 'tributary.event_destination': destination },
    } as const;
    const work = inRoot(tracing, root, (span) => {
      span?.ownedBy(publicId('account_record', owner));
      return deliveries.work(taken, this.#stopping.signal).catch((error: unknown) => {
        span?.fail(failureType(error));
        log.error('events were not delivered', { destination }, error);
        return true;
      });
    }).then((isDue) => {
      this.#active.delete(held);
      // A check takes the database milliseconds. One that ran since this was taken skipped it, whatever had become
      // due.
      if (isDue || !this.#tookAll || this.#looks > looks) this.#rounds.wake();
    });
    const held = { owner, work };
    this.#active.add(held);
  }
}
