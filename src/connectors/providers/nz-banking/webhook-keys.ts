import { createPublicKey, type KeyObject } from 'node:crypto';
import { SingleFlight } from '../../../platform/single-flight.ts';
import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import { ErrorAnswer } from '../kit/failures.ts';
import { malformed } from '../kit/json.ts';
import { text } from '../kit/members.ts';
import type { NzBankingClient } from './client.ts';

const KEPT_MS = 24 * 3_600_000;
const KEY_ID = /^\d{1,9}$/;
/** Anybody can name a key: what is asked of the vendor for the sake of strangers stays below this, in any minute. */
const LOOKUPS_PER_MINUTE = 10;
const MINUTE_MS = 60_000;

/** The vendor's newest key that signed a notification. */
interface CurrentKey {
  readonly id: number;
  readonly key: KeyObject;
  readonly until: number;
}

/** The vendor's keys for notifications, each kept for a day. A key older than one that is in use has been replaced. */
export class WebhookKeys {
  readonly #client: NzBankingClient;
  readonly #flights = new SingleFlight<KeyObject | null>();
  #current: CurrentKey | null = null;
  #lookups: number[] = [];

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
    const key = await this.#flights.run(id, () => this.#ask(id, now));
    signal.throwIfAborted();
    return key;
  }

  /**
   * Keeps a key by which a notification was verified: one that was only asked for may have been named by a stranger, and
   * would shut out the key in use.
   */
  keep(id: string, key: KeyObject): void {
    const number = Number(id);
    if (this.#current !== null && this.#current.id === number && this.#current.key === key) return;
    this.#current = { id: number, key, until: this.#client.options.clock.now() + KEPT_MS };
  }

  async #ask(id: string, now: number): Promise<KeyObject | null> {
    this.#lookups = this.#lookups.filter((at) => now - at < MINUTE_MS);
    if (this.#lookups.length >= LOOKUPS_PER_MINUTE)
      throw new UpstreamFailure('pool_full', 'Too many keys of notifications were asked for.');
    this.#lookups.push(now);
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
