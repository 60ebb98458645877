import { randomBytes } from 'node:crypto';
import type { Clock } from '../../../platform/clock.ts';
import { DestinationFailure } from '../destination-failure.ts';
import { CLIENT_CHARACTERS, OWN_CLIENTS, readStamp, writeStamp } from './stamp.ts';

/** Clients of Actual refuse to sync with messages further ahead of their own clock than this. */
export const MOST_DRIFT_MS = 5 * 60_000;
const MOST_COUNTER = 0xffff;

/** Stamps messages with a hybrid logical clock: each later than every message seen before. */
export class MessageClock {
  readonly #clock: Clock;
  readonly #client = OWN_CLIENTS + randomBytes((CLIENT_CHARACTERS - OWN_CLIENTS.length) / 2).toString('hex');
  #millis = 0;
  #counter = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether the stamp is one of this clock's. */
  made(stamp: string): boolean {
    return stamp.endsWith(`-${this.#client}`);
  }

  /** Later stamps follow this one. */
  saw(stamp: string): void {
    const seen = readStamp(stamp);
    if (seen === null || seen.millis < this.#millis) return;
    this.#counter = seen.millis === this.#millis ? Math.max(seen.counter, this.#counter) : seen.counter;
    this.#millis = seen.millis;
  }

  /**
   * The next stamp. Raises DestinationFailure `run_failed` where it would be so far in the future that clients refuse to
   * sync: another client's clock is wrong, or ours.
   */
  next(): string {
    const now = this.#clock.now();
    if (now > this.#millis) {
      this.#millis = now;
      this.#counter = 0;
    } else if (this.#counter < MOST_COUNTER) this.#counter += 1;
    else {
      this.#millis += 1;
      this.#counter = 0;
    }
    if (this.#millis - now > MOST_DRIFT_MS) {
      throw new DestinationFailure(
        'run_failed',
        'The budget has changes from more than five minutes in the future: correct the clock of the device that made them, or of this service.',
        { outcome: 'refused', retryable: true },
      );
    }
    return writeStamp({ millis: this.#millis, counter: this.#counter, client: this.#client });
  }
}
