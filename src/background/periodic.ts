import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { isStoreUnavailable } from '../vocabulary/store-unavailable.ts';
import { PERIODIC_WORK, type PeriodicName } from './periodic-work.ts';

/** Work that is done at once and then again and again, never twice at the same time. A failure is logged. */
export class Periodic {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #name: PeriodicName;
  readonly #work: (signal: AbortSignal) => Promise<void>;
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();

  /** @param work its signal aborts when the work is to stop */
  constructor(
    deps: { readonly clock: Clock; readonly log: Log },
    name: PeriodicName,
    work: (signal: AbortSignal) => Promise<void>,
  ) {
    this.#clock = deps.clock;
    this.#log = deps.log;
    this.#name = name;
    this.#work = work;
  }

  start(): void {
    this.#running = this.#loop();
  }

  /** Waits for the work under way. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #loop(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await this.#work(signal);
      } catch (error) {
        this.#failed(error);
      }
      await this.#clock.sleep(PERIODIC_WORK[this.#name].everyMs, signal).catch(() => undefined);
    }
  }

  #failed(error: unknown): void {
    const fields = { work: this.#name };
    if (this.#stopping.signal.aborted) this.#log.debug('Periodic work was interrupted.', fields, error);
    // That the database is unreachable is logged once, where it is noticed.
    else if (isStoreUnavailable(error)) this.#log.debug('Periodic work is waiting for the database.', fields);
    else this.#log.error('periodic work failed', fields, error);
  }
}
