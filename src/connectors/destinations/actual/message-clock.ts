import { randomBytes } from 'node:crypto';
import type { Clock } from '../../../platform/clock.ts';
import { DestinationFailure } from '../destination-failure.ts';

const FORM = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z)-([0-9A-Fa-f]{4})-([0-9A-Za-z]{16})$/;
/** `trib` in hexadecimal: the client ids of this service begin with it, so that it knows its own messages again. */
const OWN_CLIENTS = '74726962';
const CLIENT_CHARACTERS = 16;

/** When a message was made: its parts in one text, by which all messages of a budget are ordered. */
interface Stamp {
  /** Epoch milliseconds. */
  readonly millis: number;
  /** Tells messages of the same millisecond apart; up to 0xffff. */
  readonly counter: number;
  /** Sixteen characters that no two clients share. */
  readonly client: string;
}

export function writeStamp({ millis, counter, client }: Stamp): string {
  const count = counter.toString(16).toUpperCase().padStart(4, '0');
  return `${new Date(millis).toISOString()}-${count}-${client.padStart(CLIENT_CHARACTERS, '0')}`;
}

/** Null for text that is no stamp. */
export function readStamp(text: string): Stamp | null {
  const [, time = '', counter = '', client = ''] = FORM.exec(text) ?? [];
  const millis = Date.parse(time);
  return millis >= 0 ? { millis, counter: Number.parseInt(counter, 16), client } : null;
}

/** Whether this service made the message. */
export function isOwnStamp(stamp: string): boolean {
  return readStamp(stamp)?.client.startsWith(OWN_CLIENTS) === true;
}

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
