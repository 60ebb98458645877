import type { EventFanOut } from '../features/event-destinations/event-fan-out.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Tracing } from '../platform/tracing.ts';
import type { Notices } from '../storage/notices.ts';
import { Periodic, Rounds } from './periodic.ts';

/** Events of one busy moment are forwarded together: a batch takes about ten statements, whatever its size. */
const PAUSE_MS = 25;

/** Forwards new events, one round at a time, woken by the notice that is sent with each. */
export class FanOutWork {
  readonly #notices: Pick<Notices, 'onNotice' | 'onLost'>;
  readonly #rounds: Rounds;
  readonly #looking: Periodic;
  readonly #stopping = new AbortController();

  constructor(deps: {
    readonly clock: Clock;
    readonly log: Log;
    readonly notices: Pick<Notices, 'onNotice' | 'onLost'>;
    readonly tracing?: Tracing;
    readonly fanOut: Pick<EventFanOut, 'round'>;
  }) {
    this.#notices = deps.notices;
    const pause = () => deps.clock.sleep(PAUSE_MS, this.#stopping.signal).catch(() => undefined);
    this.#rounds = new Rounds(
      deps.log,
      'handing on events',
      () => deps.fanOut.round(this.#stopping.signal),
      pause,
    );
    this.#looking = new Periodic(deps, 'events to hand on', async () => this.#rounds.wake());
  }

  start(): void {
    this.#notices.onNotice(({ kind }) => {
      if (kind === 'event_recorded') this.#rounds.wake();
    });
    this.#notices.onLost(() => this.#rounds.wake());
    this.#looking.start();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#looking.stop();
    await this.#rounds.stop();
  }
}
