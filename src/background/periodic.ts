import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { isStoreUnavailable } from '../vocabulary/store-unavailable.ts';

/** Work that is done at once and then again and again, never twice at the same time. A failure is logged. */
export class Periodic {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #what: string;
  readonly #everyMs: number;
  readonly #work: () => Promise<void>;
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(
    deps: { readonly clock: Clock; readonly log: Log },
    what: string,
    everyMs: number,
    work: () => Promise<void>,
  ) {
    this.#clock = deps.clock;
    this.#log = deps.log;
    this.#what = what;
    this.#everyMs = everyMs;
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
        await this.#work();
      } catch (error) {
        // That the database is away is logged once, where it is noticed.
        if (isStoreUnavailable(error))
          this.#log.debug('Periodic work is waiting for the database.', { work: this.#what });
        else this.#log.error('periodic work failed', { work: this.#what }, error);
      }
      await this.#clock.sleep(this.#everyMs, signal).catch(() => undefined);
    }
  }
}
