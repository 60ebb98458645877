import { isIP } from 'node:net';
import type { Clock } from '../../../platform/clock.ts';
import { FairSlots, SlotsFull } from '../../../platform/fair-slots.ts';
import type { OutgoingAddresses } from '../../../platform/outgoing-addresses.ts';
import type { Limits } from '../../../vocabulary/limits.ts';
import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import { DatabaseClient } from './client.ts';
import { DatabaseSilence } from './failures.ts';
import type { Credentials } from './secret.ts';
import { Session } from './session.ts';
import { DATABASE_WAITS, type DatabaseWaits } from './session-settings.ts';

const CONNECT_MS = 10_000;
/** Of a name with many addresses, more than these are not tried. */
const MOST_ADDRESSES = 3;

export interface SessionsOptions {
  readonly addresses: OutgoingAddresses;
  readonly clock: Clock;
  readonly limits: Limits;
  /** Others than DATABASE_WAITS, for tests. */
  readonly waits?: Partial<DatabaseWaits>;
}

const READ_ONLY = { readOnly: true } as const;

/** Opens connections to owners' databases: to permitted addresses, and few at a time, shared out by owner. */
export class Sessions {
  readonly #addresses: OutgoingAddresses;
  readonly #slots: FairSlots;
  readonly #waits: DatabaseWaits;

  constructor({ addresses, limits, waits }: SessionsOptions) {
    this.#addresses = addresses;
    this.#waits = { ...DATABASE_WAITS, ...waits };
    const slots = limits.database_connections;
    this.#slots = new FairSlots({ slots, waiting: slots, share: 1 });
  }

  /**
   * A connection that is signed in and has been tried. Raises RefusedAddress, what the driver and the names raise,
   * UpstreamFailure `pool_full`, or `signal.reason`.
   */
  async open(owner: string, credentials: Credentials, signal: AbortSignal): Promise<Session> {
    const give = await this.#slots.take(owner, signal).catch((error: unknown) => {
      if (!(error instanceof SlotsFull)) throw error;
      throw new UpstreamFailure('pool_full', 'Too many connections to databases are open or waiting.');
    });
    try {
      const client = await this.#connected(owner, credentials, signal);
      const session = new Session(client, this.#waits, give);
      // A pooler takes every sign-in, and finds its server with the first transaction.
      await session
        .transaction(signal, async () => undefined, READ_ONLY)
        .catch(async (error: unknown) => {
          await session.close();
          throw error;
        });
      return session;
    } catch (error) {
      give();
      throw error;
    }
  }

  async #connected(owner: string, credentials: Credentials, signal: AbortSignal): Promise<DatabaseClient> {
    const { host, port, sslMode } = credentials;
    const found = await this.#addresses.permitted(owner, { host, port, encrypted: sslMode !== 'disable' });
    // IPv4 first: many machines have no way out by IPv6.
    const tried = found.toSorted((a, b) => isIP(a) - isIP(b)).slice(0, MOST_ADDRESSES);
    let failure: unknown = null;
    for (const address of tried) {
      const client = new DatabaseClient(credentials, address);
      try {
        await connect(client, signal);
        return client;
      } catch (error) {
        client.destroy(new DatabaseSilence('The connection was given up.'));
        signal.throwIfAborted();
        failure = error;
        if (!isUnreachable(error)) break;
      }
    }
    throw failure;
  }
}

async function connect(client: DatabaseClient, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const silence = new DatabaseSilence('The database did not answer in time while connecting.');
  const abort = () => client.destroy(new Error('the caller has left'));
  const timer = setTimeout(() => client.destroy(silence), CONNECT_MS);
  signal.addEventListener('abort', abort, { once: true });
  try {
    await client.connect();
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

/** Whether another address of the same name may do better. */
function isUnreachable(error: unknown): boolean {
  return error instanceof DatabaseSilence || (error instanceof Error && 'syscall' in error);
}
