import type { Log } from '../platform/log.ts';
import { isStoreUnavailable } from '../vocabulary/store-unavailable.ts';

/** Work in rounds, one at a time: a wake-up during a round is followed by another, and so is a round that found more. */
export class Rounds {
  readonly #log: Log;
  readonly #what: string;
  readonly #round: () => Promise<boolean>;
  readonly #pause: () => Promise<void>;
  #running: Promise<void> | null = null;
  #isWanted = false;
  #isStopped = false;

  /**
   * @param round answers whether there may be more to do
   * @param pause waited for between two rounds, so that what comes in quick succession is done together
   */
  constructor(
    log: Log,
    what: string,
    round: () => Promise<boolean>,
    pause: () => Promise<void> = async () => undefined,
  ) {
    this.#log = log;
    this.#what = what;
    this.#round = round;
    this.#pause = pause;
  }

  wake(): void {
    if (this.#isStopped) return;
    this.#isWanted = true;
    this.#running ??= this.#run();
  }

  /** Waits for the round under way; none follows. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#isWanted && !this.#isStopped) {
      this.#isWanted = false;
      try {
        if (await this.#round()) this.#isWanted = true;
      } catch (error) {
        // That the database is unreachable is logged once, where it is noticed; who wakes next tries again.
        if (!isStoreUnavailable(error))
          this.#log.error('a round of work failed', { work: this.#what }, error);
      }
      await this.#pause();
    }
    this.#running = null;
  }
}
