import type { Clock } from '../../../platform/clock.ts';
import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import type { ProviderSignal } from '../provider-contract.ts';
import type { BrokerageClient } from './client.ts';
import { findConnection, type UserConnection } from './connections.ts';
import { isDisabled } from './map-connection.ts';

const REMEMBERED_MS = 60_000;
const MOST_REMEMBERED = 5000;

interface Known extends Pick<UserConnection, 'customer' | 'consent'> {
  /** Until when it is taken to work. */
  readonly until: number;
}

/**
 * Whether connections work. The vendor answers reads of a disabled one as if nothing had happened, with what it knew
 * last, so the connection is looked at beside each read. One that works is taken to do so for a minute; one that does
 * not is asked for each time, since the person may just have signed in again.
 */
export class WorkingConnections {
  readonly #client: BrokerageClient;
  readonly #clock: Clock;
  /** The longest known first. */
  readonly #known = new Map<string, Known>();

  constructor(client: BrokerageClient) {
    this.#client = client;
    this.#clock = client.clock;
  }

  /** Raises UpstreamFailure (`grant_rejected`) where the connection is disabled or gone. */
  async require(connection: UserConnection, signal: AbortSignal): Promise<void> {
    const key = keyOf(connection);
    if ((this.#known.get(key)?.until ?? 0) > this.#clock.now()) return;
    this.#known.delete(key);
    const row = await findConnection(this.#client, connection, signal);
    if (row === null) throw new UpstreamFailure('grant_rejected', 'The connection is no longer known.');
    if (isDisabled(row)) throw new UpstreamFailure('grant_rejected', 'The connection is disabled.');
    this.#remember(key, connection);
  }

  /** Has the connection looked at anew. */
  forget(connection: UserConnection): void {
    this.#known.delete(keyOf(connection));
  }

  /** Has what a notification is about looked at anew: it names a connection without its user, or a user. */
  forgetNamed({ kind, id }: ProviderSignal['about']): void {
    for (const [key, { customer, consent }] of this.#known)
      if (id === (kind === 'customer' ? customer : consent)) this.#known.delete(key);
  }

  #remember(key: string, { customer, consent }: UserConnection): void {
    for (const oldest of this.#known.keys()) {
      if (this.#known.size < MOST_REMEMBERED) break;
      this.#known.delete(oldest);
    }
    this.#known.set(key, { customer, consent, until: this.#clock.now() + REMEMBERED_MS });
  }
}

function keyOf({ customer, consent }: UserConnection): string {
  return JSON.stringify([customer, consent]);
}
