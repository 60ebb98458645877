import { createPublicKey, type KeyObject } from 'node:crypto';
import { SingleFlight } from '../../../platform/single-flight.ts';
import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import { malformed, text } from '../kit/json.ts';
import { ErrorAnswer } from '../kit/vendor-calls.ts';
import type { NzBankingClient } from './client.ts';

const KEPT_MS = 24 * 3_600_000;
const KEY_ID = /^\d{1,9}$/;
/**
 * Anyone can name a key: requests to the vendor on behalf of strangers stay below this in any minute. Those about the
 * key in use and the next one, and for notifications with our own state, are counted separately, so that strangers
 * cannot delay them.
 */
const LOOKUPS_PER_MINUTE = 10;
/**
 * How many notifications without our own state may wait for the vendor at a time, for either count; the next is refused
 * at once.
 */
const MOST_WAITING = 4;
const MINUTE_MS = 60_000;

/** The vendor's newest key that signed a notification. */
interface CurrentKey {
  readonly id: number;
  /** Null once the vendor has said that it no longer has it. */
  readonly key: KeyObject | null;
  readonly until: number;
}

interface Lookup {
  readonly at: number;
  readonly id: number;
  /** Whether it was about the key in use or the next one, or for a notification with our own state. */
  readonly expected: boolean;
  /** Null: the vendor has none with that id; undefined while there is no answer. */
  key?: KeyObject | null;
}

/**
 * The vendor's keys for notifications, each kept for a day after the last one that it verified. A key older than one
 * that is in use has been replaced.
 */
export class WebhookKeys {
  readonly #client: NzBankingClient;
  readonly #flights = new SingleFlight<KeyObject | null>();
  #current: CurrentKey | null = null;
  /** Notifications without our own state that wait now, by whether their key is expected. */
  readonly #waiting = new Map<boolean, number>();
  /** Lookups of the last minute, which bounds their number. */
  #lookups: Lookup[] = [];

  constructor(client: NzBankingClient) {
    this.#client = client;
  }

  /**
   * The key, or null if the vendor no longer has one with that id. `isOwn`: whether the notification has our state,
   * which a stranger's never has; called only if the key is not cached. Raises UpstreamFailure.
   */
  async find(id: string, isOwn: () => boolean, signal: AbortSignal): Promise<KeyObject | null> {
    if (!KEY_ID.test(id)) return null;
    const number = Number(id);
    const now = this.#client.options.clock.now();
    const current = this.#current !== null && now < this.#current.until ? this.#current : null;
    if (current !== null && number <= current.id) return number === current.id ? current.key : null;
    const own = isOwn();
    const expected = own || this.#isExpected(number);
    const asked = () => this.#asked(number, expected, now);
    const key = own ? await asked() : await this.#waitsFor(expected, asked);
    signal.throwIfAborted();
    return key;
  }

  /**
   * Keeps a key that has verified a notification: one that was only requested may have been named by a stranger, and
   * would replace the key in use.
   */
  keep(id: string, key: KeyObject): void {
    const number = Number(id);
    const now = this.#client.options.clock.now();
    const replaced = this.#current !== null && now < this.#current.until && number < this.#current.id;
    if (!replaced) this.#current = { id: number, key, until: now + KEPT_MS };
  }

  /** The key in use, whose day may be over, and the next one. */
  #isExpected(id: number): boolean {
    return this.#current !== null && (id === this.#current.id || id === this.#current.id + 1);
  }

  async #waitsFor<T>(expected: boolean, work: () => Promise<T>): Promise<T> {
    const waiting = this.#waiting.get(expected) ?? 0;
    if (waiting >= MOST_WAITING) throw tooMany();
    this.#waiting.set(expected, waiting + 1);
    try {
      return await work();
    } finally {
      this.#waiting.set(expected, (this.#waiting.get(expected) ?? 1) - 1);
    }
  }

  /** The two counts share no lookups: one refused for a stranger would refuse the notification that joined it. */
  #asked(id: number, expected: boolean, now: number): Promise<KeyObject | null> {
    return this.#flights.run(`${expected} ${id}`, () => this.#ask(id, expected, now));
  }

  /** Asks the vendor, unless it has answered about the key within the last minute. */
  async #ask(id: number, expected: boolean, now: number): Promise<KeyObject | null> {
    this.#lookups = this.#lookups.filter(({ at }) => now - at < MINUTE_MS);
    const answered = this.#lookups.find((one) => one.id === id && one.key !== undefined);
    if (answered?.key !== undefined) return answered.key;
    const current = this.#current;
    const kept = current?.id === id ? current : null;
    try {
      const key = await this.#lookUp(id, expected, now);
      // Only a notification that it verifies makes it valid for another day.
      if (key === null && kept !== null && this.#current === kept) this.#current = { ...kept, key };
      return key;
    } catch (error) {
      // A problem of the vendor, or a flood of forged notifications, must not block the genuine ones.
      if (kept !== null && kept.key !== null) return kept.key;
      throw error;
    }
  }

  async #lookUp(id: number, expected: boolean, at: number): Promise<KeyObject | null> {
    if (this.#lookups.filter((one) => one.expected === expected).length >= LOOKUPS_PER_MINUTE)
      throw tooMany();
    const lookup: Lookup = { at, id, expected };
    this.#lookups.push(lookup);
    lookup.key = await this.#fetch(id);
    return lookup.key;
  }

  async #fetch(id: number): Promise<KeyObject | null> {
    // Shared by all that wait for it: no caller aborts it.
    const { signal } = new AbortController();
    try {
      const pem = text(await this.#client.getAsApp(`/keys/${id}`, signal), 'item');
      if (pem === null) throw malformed('it holds no key');
      return publicKey(pem);
    } catch (error) {
      if (error instanceof ErrorAnswer && (error.status === 404 || error.status === 400)) return null;
      throw error;
    }
  }
}

function tooMany(): UpstreamFailure {
  return new UpstreamFailure('pool_full', 'Too many keys of notifications were asked for.');
}

/** Raises UpstreamFailure for any but an RSA key, which is what the vendor signs with. */
function publicKey(pem: string): KeyObject {
  const key = parsedKey(pem);
  if (key?.asymmetricKeyType !== 'rsa') throw malformed('its key is not an RSA key');
  return key;
}

function parsedKey(pem: string): KeyObject | null {
  try {
    return createPublicKey(pem);
  } catch {
    return null;
  }
}
