import { StoreUnavailableError } from '../vocabulary/store-unavailable.ts';

const FIRST_WAIT_MS = 250;
const MOST_WAIT_MS = 4_000;

/** Called when the database goes away, with the reason, and with null when it is back. */
export type OnAvailability = (reason: Error | null) => void;

/**
 * Whether the database can be used. Once it is lost, one attempt at a time is made to get it back. Who asks during the
 * first attempt waits for its outcome; if that fails, everybody is refused at once until a later attempt succeeds.
 */
export class Availability {
  readonly #restore: (signal: AbortSignal) => Promise<void>;
  readonly #onChange: OnAvailability;
  readonly #closing = new AbortController();
  #reason: Error | null = null;
  #firstAttempt: Promise<void> | null = null;
  #restoring: Promise<void> = Promise.resolve();

  /** @param restore resolves once the database answers again; the signal aborts when the service closes it */
  constructor(restore: (signal: AbortSignal) => Promise<void>, onChange: OnAvailability = () => undefined) {
    this.#restore = restore;
    this.#onChange = onChange;
  }

  get away(): boolean {
    return this.#reason !== null;
  }

  /** Raises StoreUnavailableError while the database is unreachable. */
  async usable(): Promise<void> {
    if (this.#reason !== null) await this.#firstAttempt;
    if (this.#reason !== null) {
      const { message } = this.#reason;
      throw this.#reason instanceof StoreUnavailableError ? this.#reason : new StoreUnavailableError(message);
    }
  }

  /** From now on nothing is asked of the database until an attempt to restore it succeeds. */
  lose(reason: Error): void {
    if (this.#reason !== null || this.#closing.signal.aborted) return;
    this.#reason = reason;
    const first = this.#attempt();
    this.#firstAttempt = first.then(() => undefined);
    this.#restoring = this.#restoreFrom(first);
  }

  /** Ends the attempts to get the database back, and waits for the one under way. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#restoring;
  }

  async #restoreFrom(first: Promise<boolean>): Promise<void> {
    const { signal } = this.#closing;
    const reason = this.#reason;
    let restored = await first;
    this.#firstAttempt = null;
    if (restored) return;
    this.#onChange(reason);
    for (
      let waitMs = FIRST_WAIT_MS;
      !restored && !signal.aborted;
      waitMs = Math.min(2 * waitMs, MOST_WAIT_MS)
    ) {
      await pause(waitMs, signal);
      if (!signal.aborted) restored = await this.#attempt();
    }
    if (restored) this.#onChange(null);
  }

  async #attempt(): Promise<boolean> {
    try {
      await this.#restore(this.#closing.signal);
      this.#reason = null;
      return true;
    } catch {
      return false;
    }
  }
}

/** On the machine's clock: how long a store is unreachable does not follow a simulated one. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}
