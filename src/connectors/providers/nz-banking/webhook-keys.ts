import { createPublicKey, type KeyObject } from 'node:crypto';
import { SingleFlight } from '../../../platform/single-flight.ts';
import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import { ErrorAnswer } from '../kit/failures.ts';
import { malformed } from '../kit/json.ts';
import { text } from '../kit/members.ts';
import type { NzBankingClient } from './client.ts';

const KEPT_MS = 24 * 3_600_000;
const KEY_ID = /^\d{1,9}$/;
/**
 * Anybody can name a key: what is asked of the vendor for the sake of strangers stays below this, in any minute. What is
 * asked about the key in use and the one after it is counted apart, so that strangers cannot delay either.
 */
const LOOKUPS_PER_MINUTE = 10;
const MINUTE_MS = 60_000;

/** The vendor's newest key that signed a notification. */
interface CurrentKey {
  readonly id: number;
  /** Null once the vendor has said that it has it no more. */
  readonly key: KeyObject | null;
  readonly until: number;
}

interface Lookup {
  readonly at: number;
  readonly id: number;
  /** Whether it was about the key in use or the one after it. */
  readonly expected: boolean;
  /** Null: the vendor has none of that id; undefined while there is no answer. */
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
  /** Of the last minute, which bounds how many there are. */
  #lookups: Lookup[] = [];

  constructor(client: NzBankingClient) {
    this.#client = client;
  }

  /** The key, or null where the vendor has none of that id any more. Raises UpstreamFailure. */
  async find(id: string, signal: AbortSignal): Promise<KeyObject | null> {
    if (!KEY_ID.test(id)) return null;
    const number = Number(id);
    const now = this.#client.options.clock.now();
    const current = this.#current !== null && now < this.#current.until ? this.#current : null;
    if (current !== null && number <= current.id) return number === current.id ? current.key : null;
    const key = await this.#flights.run(String(number), () => this.#ask(number, now));
    signal.throwIfAborted();
    return key;
  }

  /**
   * Keeps a key by which a notification was verified: one that was only asked for may have been named by a stranger, and
   * would shut out the key in use.
   */
  keep(id: string, key: KeyObject): void {
    const number = Number(id);
    const now = this.#client.options.clock.now();
    const replaced = this.#current !== null && now < this.#current.until && number < this.#current.id;
    if (!replaced) this.#current = { id: number, key, until: now + KEPT_MS };
  }

  /** Asks the vendor, unless it has answered about the key within a minute. */
  async #ask(id: number, now: number): Promise<KeyObject | null> {
    this.#lookups = this.#lookups.filter(({ at }) => now - at < MINUTE_MS);
    const answered = this.#lookups.find((one) => one.id === id && one.key !== undefined);
    if (answered?.key !== undefined) return answered.key;
    const current = this.#current;
    const kept = current?.id === id ? current : null;
    try {
      const key = await this.#lookUp(id, now);
      // Only a notification that it verifies makes it good for another day.
      if (key === null && kept !== null && this.#current === kept) this.#current = { ...kept, key };
      return key;
    } catch (error) {
      // The vendor's trouble, or a flood of made-up notifications, must not keep the genuine ones out.
      if (kept !== null && kept.key !== null) return kept.key;
      throw error;
    }
  }

  async #lookUp(id: number, at: number): Promise<KeyObject | null> {
    const expected = this.#current !== null && (id === this.#current.id || id === this.#current.id + 1);
    if (this.#lookups.filter((one) => one.expected === expected).length >= LOOKUPS_PER_MINUTE)
      throw new UpstreamFailure('pool_full', 'Too many keys of notifications were asked for.');
    const lookup: Lookup = { at, id, expected };
    this.#lookups.push(lookup);
    lookup.key = await this.#fetch(id);
    return lookup.key;
  }

  async #fetch(id: number): Promise<KeyObject | null> {
    // Shared by all who wait for it: no caller calls it off.
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

function publicKey(pem: string): KeyObject {
  try {
    return createPublicKey(pem);
  } catch {
    throw malformed('its key is not one');
  }
}
