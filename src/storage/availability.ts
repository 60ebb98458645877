import { systemClock } from '../platform/clock.ts';
import { StoreUnavailableError } from '../vocabulary/store-unavailable.ts';

const FIRST_WAIT_MS = 250;
const MOST_WAIT_MS = 4_000;

/** Called with the reason when the database becomes unreachable, and with null when it is back. */
export type OnAvailability = (reason: Error | null) => void;

/**
 * Whether the database can be used. Once it is lost, attempts to restore it are made one at a time. Callers during the
 * first attempt wait for its outcome; if that fails, all are refused immediately until a later attempt succeeds.
 */
export class Availability {
  readonly #restore: (signal: AbortSignal) => Promise<void>;
  readonly #onChange: OnAvailability;
  readonly #closing = new AbortController();
  #reason: Error | null = null;
  #firstAttempt: Promise<void> | null = null;
  #restoring: Promise<void> = Promise.resolve();

  /** @param restore resolves once the database answers again; the signal aborts when the service closes the database */
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

  /** From now on no query is sent until an attempt to restore the database succeeds. */
  lose(reason: Error): void {
    if (this.#reason !== null || this.#closing.signal.aborted) return;
    this.#reason = reason;
    const first = this.#attempt();
    this.#firstAttempt = first.then(() => undefined);
    this.#restoring = this.#restoreFrom(first);
  }

  /** Stops the attempts to restore the database, and waits for the current one. */
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
      // On the machine's clock: a simulated one says nothing about how long a store is unreachable.
      await systemClock.sleep(waitMs, signal).catch(() => undefined);
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
