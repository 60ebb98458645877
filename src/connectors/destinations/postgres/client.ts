import { isIP, Socket } from 'node:net';
import pg from 'pg';
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

export const DATABASE_WAITS: DatabaseWaits = {
  statementMs: 60_000,
  graceMs: 5_000,
  lockMs: 15_000,
  transactionMs: 600_000,
};

/** What a transaction is set to: what the server gives up by itself, and how it writes and reads values. */
export function settingsOf({ statementMs, lockMs }: DatabaseWaits): Readonly<Record<string, string>> {
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

  /** How many bytes may come from now on. @param bytes null where nothing is asked */
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
