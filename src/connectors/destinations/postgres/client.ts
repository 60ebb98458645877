import { isIP, Socket } from 'node:net';
import pg from 'pg';
import type { Clock } from '../../../platform/clock.ts';
import { FairSlots, SlotsFull } from '../../../platform/fair-slots.ts';
import type { OutgoingAddresses } from '../../../platform/outgoing-addresses.ts';
import type { Limits } from '../../../vocabulary/limits.ts';
import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import { DatabaseSilence } from './failures.ts';
import type { Credentials } from './secret.ts';

/** How long to wait for an owner's server (docs/destination-services.md#postgres), in milliseconds. */
export interface DatabaseWaits {
  /** For one statement, enforced by the server. */
  readonly statementMs: number;
  /** For the answer to a statement, after the server should have ended it: then the connection is dead. */
  readonly graceMs: number;
  /** For a lock held by another session. */
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

/** Settings of a transaction: the server's timeouts, and the formats of values. */
function settingsOf({ statementMs, lockMs }: DatabaseWaits): Readonly<Record<string, string>> {
  return {
    statement_timeout: String(statementMs),
    lock_timeout: String(lockMs),
    idle_in_transaction_session_timeout: String(statementMs),
    DateStyle: 'ISO, YMD',
    TimeZone: 'UTC',
    // With fewer, an amount in a floating-point column is shown rounded.
    extra_float_digits: '1',
  };
}

/** What a server may send while no statement is running: notices, and the sign-in. */
const UNASKED_BYTES = 1024 * 1024;
const LOOK_MS = 100;

/** One connection to an owner's database, at an address that was already checked. */
export class DatabaseClient extends pg.Client {
  readonly #socket: Socket;
  readonly #opening: Readonly<Record<string, string>>;
  #broken = false;
  #expected = UNASKED_BYTES;
  #before = 0;

  constructor({ host, port, user, password, database, sslMode }: Credentials, address: string) {
    const socket = new Socket();
    // A certificate is for the host that the owner named, not for its resolved address.
    const identity = isIP(host) === 0 ? { servername: host } : { host };
    super({
      host: address,
      port,
      user,
      // As a function: an empty text would make the driver send the operator's own PGPASSWORD.
      password: () => password,
      database,
      ssl: sslMode === 'disable' ? false : { ...identity, rejectUnauthorized: sslMode === 'verify-full' },
      // The driver takes whatever is left out here from the operator's environment.
      sslnegotiation: 'postgres',
      client_encoding: 'UTF8',
      stream: () => socket,
    });
    this.#socket = socket;
    this.#opening = { user, database, application_name: 'tributary' };
    const broken = (): void => {
      this.#broken = true;
    };
    // An error without a listener would end the process; the running statement reports it as well.
    this.on('error', broken);
    this.on('end', broken);
    // The driver buffers a message of any length.
    const look = setInterval(() => {
      if (this.received - this.#before <= this.#expected) return;
      this.destroy(new DatabaseSilence('The database sent more than was asked for.'));
    }, LOOK_MS).unref();
    socket.once('close', () => clearInterval(look));
  }

  /**
   * The content of the startup message. It replaces the driver's own, which adds the operator's PGOPTIONS and
   * PGREPLICATION. Poolers refuse parameters that they do not know, so there are only these.
   */
  getStartupConf(): Readonly<Record<string, string>> {
    return this.#opening;
  }

  /** Whether it can no longer be used. */
  get broken(): boolean {
    return this.#broken;
  }

  /** Bytes received from the server. */
  get received(): number {
    return this.#socket.bytesRead;
  }

  /** How many bytes may be received from now on. @param bytes null if no statement is running */
  expect(bytes: number | null): void {
    this.#before = this.received;
    this.#expected = bytes ?? UNASKED_BYTES;
  }

  /** Everything in progress fails with `reason`. */
  destroy(reason: Error): void {
    this.#broken = true;
    this.#socket.destroy(reason);
  }
}

const CONNECT_MS = 10_000;
/** If a name has many addresses, only this many are tried. */
const MOST_ADDRESSES = 3;

export interface SessionsOptions {
  readonly addresses: OutgoingAddresses;
  readonly clock: Clock;
  readonly limits: Limits;
  /** Instead of DATABASE_WAITS, for tests. */
  readonly waits?: Partial<DatabaseWaits>;
}

const READ_ONLY = { readOnly: true } as const;

/** Opens connections to owners' databases: to permitted addresses, a few at a time, shared among owners. */
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
   * A connection that is signed in and was tested. Raises RefusedAddress, what the driver and the resolver raise,
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
      // A pooler accepts every sign-in, and connects to its server with the first transaction.
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
    // IPv4 first: many machines have no IPv6 connectivity.
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

/** Whether another address of the same name may succeed. */
function isUnreachable(error: unknown): boolean {
  return error instanceof DatabaseSilence || (error instanceof Error && 'syscall' in error);
}

/** Limit of one answer. A page that is read has a thousand rows. */
const MOST_ANSWER_BYTES = 128 * 1024 * 1024;
/** How long a server may take to close a connection. */
const CLOSING_MS = 1_000;

export type Cell = string | null;
export type Answer = Readonly<Record<string, unknown>>;

export interface TransactionKind {
  /** The server is read-only. */
  readonly readOnly?: boolean;
  /** Called before the one statement whose lost answer leaves it unconfirmed. */
  readonly committing?: () => void;
}

/**
 * One signed-in connection, for one user at a time. Nothing outlasts a transaction on it, no setting, no lock and no
 * prepared statement: behind a pooler, the next transaction may be on another server connection.
 */
export class Session {
  readonly #client: DatabaseClient;
  readonly #waits: DatabaseWaits;
  readonly #give: () => void;
  /** When the open transaction is aborted, by the monotonic clock; null outside of one. */
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
   * Runs `work` in a transaction with its own settings, which apply to `ask` until it ends. An error of `work` rolls
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

  /** Runs one statement in the open transaction. Raises what the driver raises, DatabaseSilence, or `signal.reason`. */
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

  /** Never rejects: a connection on which it fails is dropped, and the server rolls back. */
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
      // The server is already gone.
    } finally {
      clearTimeout(timer);
      client.destroy(closed);
      this.#give();
    }
  }
}
