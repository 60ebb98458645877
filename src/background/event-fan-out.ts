import type { EventFanOut } from '../features/event-destinations/event-fan-out.ts';
import { EVENT_FAN_OUT } from '../features/events/event-queues.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Jobs } from '../storage/jobs.ts';
import { Periodic } from './periodic.ts';
import { Rounds } from './rounds.ts';

/** A worker that dies between its job and its round leaves events behind: they are found by looking. */
const LOOK_MS = 5_000;
/** Events of one busy moment are handed on together: a batch costs some ten statements, however many it has. */
const PAUSE_MS = 25;

/** Hands new events on, one round at a time, woken by the job that each is written with. */
export class FanOutWork {
  readonly #jobs: Pick<Jobs, 'wakeOn'>;
  readonly #rounds: Rounds;
  readonly #looking: Periodic;
  readonly #stopping = new AbortController();

  constructor(deps: {
    readonly clock: Clock;
    readonly log: Log;
    readonly jobs: Pick<Jobs, 'wakeOn'>;
    readonly fanOut: Pick<EventFanOut, 'round'>;
  }) {
    this.#jobs = deps.jobs;
    const pause = () => deps.clock.sleep(PAUSE_MS, this.#stopping.signal).catch(() => undefined);
    this.#rounds = new Rounds(deps.log, 'handing on events', () => deps.fanOut.round(), pause);
    this.#looking = new Periodic(deps, 'events to hand on', LOOK_MS, async () => this.#rounds.wake());
  }

  async start(): Promise<void> {
    await this.#jobs.wakeOn(EVENT_FAN_OUT, () => this.#rounds.wake());
    this.#looking.start();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#looking.stop();
    await this.#rounds.stop();
  }
}
