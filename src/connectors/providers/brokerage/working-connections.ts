import type { Clock } from '../../../platform/clock.ts';
import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import type { BrokerageClient } from './client.ts';
import { findConnection, type UserConnection } from './connections.ts';
import { isDisabled } from './map-connection.ts';

const REMEMBERED_MS = 60_000;
const MOST_REMEMBERED = 5000;

/**
 * Whether connections work. The vendor answers reads of a disabled one as if nothing had happened, with what it knew
 * last, so the connection is looked at beside each read. One that works is taken to do so for a minute; one that does
 * not is asked for each time, since the person may just have signed in again.
 */
export class WorkingConnections {
  readonly #client: BrokerageClient;
  readonly #clock: Clock;
  /** Until when each is taken to work, the longest known first. */
  readonly #until = new Map<string, number>();

  constructor(client: BrokerageClient) {
    this.#client = client;
    this.#clock = client.clock;
  }

  /** Raises UpstreamFailure (`grant_rejected`) where the connection is disabled or gone. */
  async require(connection: UserConnection, signal: AbortSignal): Promise<void> {
    const key = keyOf(connection);
    if ((this.#until.get(key) ?? 0) > this.#clock.now()) return;
    this.#until.delete(key);
    const row = await findConnection(this.#client, connection, signal);
    if (row === null) throw new UpstreamFailure('grant_rejected', 'The connection is no longer known.');
    if (isDisabled(row)) throw new UpstreamFailure('grant_rejected', 'The connection is disabled.');
    this.#remember(key);
  }

  /** Has the connection looked at anew. */
  forget(connection: UserConnection): void {
    this.#until.delete(keyOf(connection));
  }

  /** Has all connections looked at anew: a notification names one without its user. */
  forgetAll(): void {
    this.#until.clear();
  }

  #remember(key: string): void {
    for (const oldest of this.#until.keys()) {
      if (this.#until.size < MOST_REMEMBERED) break;
      this.#until.delete(oldest);
    }
    this.#until.set(key, this.#clock.now() + REMEMBERED_MS);
  }
}

function keyOf({ customer, consent }: UserConnection): string {
  return JSON.stringify([customer, consent]);
}
