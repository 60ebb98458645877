import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import { Remembered } from '../kit/remembered.ts';
import type { ProviderSignal } from '../provider-contract.ts';
import type { BrokerageClient } from './client.ts';
import { findConnection, type UserConnection } from './connections.ts';
import { isDisabled } from './map-connection.ts';

const REMEMBERED_MS = 60_000;

/**
 * Whether connections work. The vendor answers reads of a disabled one as if nothing had happened, with what it knew
 * last, so the connection is looked at beside each read. One that works is taken to do so for a minute; one that does
 * not is asked for each time, since the person may just have signed in again.
 */
export class WorkingConnections {
  readonly #client: BrokerageClient;
  readonly #working: Remembered<UserConnection>;

  constructor(client: BrokerageClient) {
    this.#client = client;
    this.#working = new Remembered(client.clock, REMEMBERED_MS);
  }

  /** Raises UpstreamFailure (`grant_rejected`) where the connection is disabled or gone. */
  async require(connection: UserConnection, signal: AbortSignal): Promise<void> {
    const key = keyOf(connection);
    if (this.#working.has(key)) return;
    const row = await findConnection(this.#client, connection, signal);
    if (row === null) throw new UpstreamFailure('grant_rejected', 'The connection is no longer known.');
    if (isDisabled(row)) throw new UpstreamFailure('grant_rejected', 'The connection is disabled.');
    this.#working.add(key, connection);
  }

  /** Has the connection looked at anew. */
  forget(connection: UserConnection): void {
    this.#working.forget(keyOf(connection));
  }

  /** Has what a notification is about looked at anew: it names a connection without its user, or a user. */
  forgetNamed({ kind, id }: ProviderSignal['about']): void {
    this.#working.forgetWhere(({ customer, consent }) => id === (kind === 'customer' ? customer : consent));
  }
}

function keyOf({ customer, consent }: UserConnection): string {
  return JSON.stringify([customer, consent]);
}
