import { isIP, Socket } from 'node:net';
import pg from 'pg';
import type { Clock } from '../../../platform/clock.ts';
import { FairSlots, SlotsFull } from '../../../platform/fair-slots.ts';
import type { OutgoingAddresses } from '../../../platform/outgoing-addresses.ts';
import type { Limits } from '../../../vocabulary/limits.ts';
import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import { DatabaseSilence } from './failures.ts';
import type { Credentials } from './secret.ts';

/** How long is waited for an owner's server (docs/destination-services.md#postgres), in milliseconds. */
export interface DatabaseWaits {
  /** For one statement, by the server itself. */
  readonly statementMs: number;
  /** For the answer to a statement, after the server should have ended it: then the connection is dead. */
  readonly graceMs: number;
  /** For a lock that somebody else holds. */
  readonly lockMs: number;
  /** For a whole transaction, however many statements it has. */
  readonly transactionMs: number;
}

const DATABASE_WAITS: DatabaseWaits = {
  statementMs: 60_000,
  graceMs: 5_000,
  lockMs: 15_000,
  transactionMs: 600_000,
};

/** What a transaction is set to: what the server gives up by itself, and how it writes and reads values. */
function settingsOf({ statementMs, lockMs }: DatabaseWaits): Readonly<Record<string, string>> {
  return {
    statement_timeout: String(statementMs),
    lock_timeout: String(lockMs),
    idle_in_transaction_session_timeout: String(statementMs),
    DateStyle: 'ISO, YMD',
    TimeZone: 'UTC',
    // With fewer, an amount in a column of binary fractions is shown rounded.
    extra_float_digits: '1',
  };
}

/** What a server may say while it is asked nothing: notices, and what signing in takes. */
const UNASKED_BYTES = 1024 * 1024;
const LOOK_MS = 100;

/** One connection to a database of an owner's, at an address that was checked before. */
export class DatabaseClient extends pg.Client {
  readonly #socket: Socket;
  readonly #opening: Readonly<Record<string, string>>;
  #broken = false;
  #expected = UNASKED_BYTES;
  #before = 0;

  constructor({ host, port, user, password, database, sslMode }: Credentials, address: string) {
    const socket = new Socket();
    // A certificate is for the host that the owner named, not for the address that was found for it.
    const identity = isIP(host) === 0 ? { servername: host } : { host };
    super({
      host: address,
      port,
      user,
      // As a function: an empty text would have the driver send the operator's own PGPASSWORD.
      password: () => password,
      database,
      ssl: sslMode === 'disable' ? false : { ...identity, rejectUnauthorized: sslMode === 'verify-full' },
      // The driver asks the operator's environment for whatever is left out here.
      sslnegotiation: 'postgres',
      client_encoding: 'UTF8',
      stream: () => socket,
    });
    this.#socket = socket;
    this.#opening = { user, database, application_name: 'tributary' };
    const broken = (): void => {
      this.#broken = true;
    };
    // An error that nobody listens to would end the process; the statement under way reports it as well.
    this.on('error', broken);
    this.on('end', broken);
    // The driver collects a message of any length.
    const look = setInterval(() => {
      if (this.received - this.#before <= this.#expected) return;
      this.destroy(new DatabaseSilence('The database sent more than was asked for.'));
    }, LOOK_MS).unref();
    socket.once('close', () => clearInterval(look));
  }

  /**
   * What the message that opens the connection says. In the place of the driver's own, which adds the operator's
   * PGOPTIONS and PGREPLICATION. Poolers refuse parameters that they do not know, so there are no more than these.
   */
  getStartupConf(): Readonly<Record<string, string>> {
    return this.#opening;
  }

  /** Whether nothing can be asked on it any more. */
  get broken(): boolean {
    return this.#broken;
  }

  /** Bytes that have come from the server. */
  get received(): number {
    return this.#socket.bytesRead;
  }

  /** How many bytes may come from now on. @param bytes null if nothing is asked */
  expect(bytes: number | null): void {
    this.#before = this.received;
    this.#expected = bytes ?? UNASKED_BYTES;
  }

  /** Everything under way fails with `reason`. */
  destroy(reason: Error): void {
    this.#broken = true;
    this.#socket.destroy(reason);
  }
}

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

/** Of one answer. A page that is read has a thousand rows. */
const MOST_ANSWER_BYTES = 128 * 1024 * 1024;
/** How long a server has to close a connection that is ended. */
const CLOSING_MS = 1_000;

export type Cell = string | null;
export type Answer = Readonly<Record<string, unknown>>;

export interface TransactionKind {
  /** The server refuses to change anything. */
  readonly readOnly?: boolean;
  /** Called before the one statement whose lost answer leaves it unconfirmed. */
  readonly committing?: () => void;
}

/**
 * One connection that is signed in. Not for two at once. Nothing outlasts a transaction on it, no setting, no lock and no
 * prepared statement: behind a pooler, the next transaction may be on another connection of the server's.
 */
export class Session {
  readonly #client: DatabaseClient;
  readonly #waits: DatabaseWaits;
  readonly #give: () => void;
  /** When the open transaction is given up, by the monotonic clock; null outside of one. */
  #until: number | null = null;

  constructor(client: DatabaseClient, waits: DatabaseWaits, give: () => void) {
    this.#client = client;
    this.#waits = waits;
    this.#give = give;
  }

  get broken(): boolean {
    return this.#client.broken;
  }

  /**
   * Runs `work` in a transaction with settings of its own, which hold for `ask` until it ends. What `work` raises rolls
   * everything back. Raises what `ask` and `work` raise.
   */
  async transaction<T>(
    signal: AbortSignal,
    work: () => Promise<T>,
    { readOnly = false, committing }: TransactionKind = {},
  ): Promise<T> {
    if (this.#until !== null) throw new TypeError('a transaction is open already');
    this.#until = performance.now() + this.#waits.transactionMs;
    try {
      const settings = Object.entries(settingsOf(this.#waits));
      const local = settings.map(([name, value]) => `set local ${name} = ${pg.escapeLiteral(value)}`);
      const begin = `begin isolation level read committed${readOnly ? ' read only' : ''}`;
      await this.run([begin, ...local], signal);
      const result = await work();
      committing?.();
      await this.ask('commit', [], signal);
      return result;
    } catch (error) {
      await this.#rollBack(signal);
      throw error;
    } finally {
      this.#until = null;
    }
  }

  /** Asks one statement in the open transaction. Raises what the driver raises, DatabaseSilence, or `signal.reason`. */
  async ask(
    text: string,
    values: readonly (Cell | readonly Cell[])[],
    signal: AbortSignal,
  ): Promise<readonly Answer[]> {
    const { rows } = await this.#sent((client) => client.query<Answer>(text, [...values]), signal);
    return rows;
  }

  /** Runs statements without parameters in the open transaction, all in one request. Raises what `ask` raises. */
  async run(statements: readonly string[], signal: AbortSignal): Promise<void> {
    await this.#sent((client) => client.query(statements.join('; ')), signal);
  }

  async #sent<T>(send: (client: DatabaseClient) => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    const client = this.#client;
    if (this.#until === null) throw new TypeError('a statement is asked outside of a transaction');
    if (client.broken) throw new DatabaseSilence('The connection to the database was lost.');
    const { statementMs, graceMs } = this.#waits;
    const left = Math.max(0, this.#until - performance.now());
    client.expect(MOST_ANSWER_BYTES);
    const abort = () => client.destroy(new Error('the caller has left'));
    const silence = new DatabaseSilence('The database did not answer a statement in time.');
    const timer = setTimeout(() => client.destroy(silence), Math.min(statementMs + graceMs, left));
    signal.addEventListener('abort', abort, { once: true });
    try {
      return await send(client);
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      clearTimeout(timer);
      client.expect(null);
      signal.removeEventListener('abort', abort);
    }
  }

  /** Never rejects: a connection on which it fails is given up, and the server rolls back. */
  async #rollBack(signal: AbortSignal): Promise<void> {
    try {
      if (!this.broken) await this.ask('rollback', [], signal);
    } catch {
      this.#client.destroy(new DatabaseSilence('The transaction was given up.'));
    }
  }

  /** Never rejects. A transaction that is open is rolled back by the server. */
  async close(): Promise<void> {
    const client = this.#client;
    const closed = new Error('the connection was closed');
    const timer = setTimeout(() => client.destroy(closed), CLOSING_MS);
    try {
      if (!client.broken) await client.end();
    } catch {
      // The server is gone already.
    } finally {
      clearTimeout(timer);
      client.destroy(closed);
      this.#give();
    }
  }
}
