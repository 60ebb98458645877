import type { PostgresPool } from 'kysely';
import pg from 'pg';
import { afterDeadline } from '../../platform/with-timeout.ts';
import { StoreUnavailableError } from '../../vocabulary/store-unavailable.ts';
import { Availability, type OnAvailability } from '../availability.ts';
import { statementDeadline } from '../statement-deadline.ts';
import { DeadlineClient, type Statement } from './deadline-client.ts';
import { DestroyableClient } from './destroyable-client.ts';
import { asStoreFailure, isServerAnswer } from './failures.ts';
import { requireWritable, setUpSession } from './session.ts';

/** How long a new connection may take to open and to answer, while the database is unreachable. */
const PROBE_MS = 3_000;
/** A pooler lends the session that was returned last, unless another client takes it in between. */
const POOLER_ROUNDS = 10;
/** How long a running statement may still take once the server was found to be unreachable. */
const LAST_CHANCE_MS = 1_000;
/** How long connections have to end cleanly when the pool is closed. */
const GOODBYE_MS = 1_000;

export interface DeadlinePoolOptions {
  readonly config: pg.PoolConfig;
  /** How long a statement may take, and how long it may wait for a connection, in milliseconds. */
  readonly statementMs: number;
  readonly onAvailability?: OnAvailability;
}

/**
 * The driver's pool, in which nothing waits forever (docs/decisions/0014-stores-that-go-away.md). A connection that
 * does not answer in time, or whose server takes only reads, is destroyed, and so are all older ones before they are
 * used again. While the server is unreachable, requests for a connection fail at once, and new connections are tried
 * one after another until one answers.
 */
export class DeadlinePool implements PostgresPool {
  readonly options: pg.PoolConfig;
  readonly #pool: pg.Pool;
  readonly #availability: Availability;
  readonly #all = new Set<DestroyableClient>();
  readonly #lent = new Set<DeadlineClient>();
  readonly #madeAt = new WeakMap<pg.ClientBase, number>();
  readonly #statementMs: number;
  /** What no statement may exceed: infinite until the service stops. */
  #mostMs = Number.POSITIVE_INFINITY;
  /** Connections made before this time are not trusted; by performance.now(). */
  #suspectBefore = 0;

  constructor({ config, statementMs, onAvailability }: DeadlinePoolOptions) {
    this.#statementMs = statementMs;
    this.options = { keepAlive: true, keepAliveInitialDelayMillis: 10_000, ...config };
    this.#availability = new Availability((signal) => this.#probe(signal), onAvailability);
    this.#pool = new pg.Pool({
      ...this.options,
      connectionTimeoutMillis: statementMs,
      Client: trackedIn(this.#all),
      onConnect: (client) => this.#greet(client),
    });
    // The pool drops an idle connection that breaks and emits an error, which would end the process without a listener.
    this.#pool.on('error', () => undefined);
    this.#pool.on('connect', (client) => this.#madeAt.set(client, performance.now()));
  }

  /** Raises StoreUnavailableError if the server is unreachable or no connection is free in time. */
  async connect(): Promise<DeadlineClient> {
    for (;;) {
      if (this.#availability.away) await this.#availability.usable();
      const client = await this.#take();
      const trusted = (this.#madeAt.get(client) ?? 0) >= this.#suspectBefore;
      if (trusted && client instanceof DestroyableClient && !client.broken) return this.#lend(client);
      client.release(true);
    }
  }

  /** One statement on any connection. Raises as `connect` does, and the server's errors. */
  async query(statement: Statement): Promise<pg.QueryResult> {
    const client = await this.connect();
    try {
      return await client.ask(statement);
    } finally {
      client.release();
    }
  }

  /** For a service that is stopping: from now on no statement may take longer than `ms`, including those running. */
  hurry(ms: number): void {
    this.#mostMs = Math.min(this.#mostMs, ms);
    for (const client of this.#lent) client.hurry(ms);
  }

  /**
   * Whether two connections were answered by the same session of the server: a pooler in between lends a session for a
   * transaction or a statement. Settings and LISTEN then reach sessions of others. Raises StoreUnavailableError.
   */
  async sharesSessions(): Promise<boolean> {
    const clients: DestroyableClient[] = [];
    try {
      for (let client = 0; client < 2; client++) {
        const opened = new DestroyableClient(this.options);
        clients.push(opened);
        await within(opened, this.#statementMs, async () => void (await opened.connect()));
      }
      const owners = new Map<number, DestroyableClient>();
      const sessions = new Map<DestroyableClient, number>();
      for (let round = 0; round < POOLER_ROUNDS; round++) {
        // The first one twice: of sessions that are lent in turn, each would else get the same ones again and again.
        for (const client of [...clients.slice(0, 1), ...clients]) {
          const session = await within(client, this.#statementMs, () => sessionOf(client));
          // A session of another client's, or another session than before.
          if ((owners.get(session) ?? client) !== client) return true;
          if ((sessions.get(client) ?? session) !== session) return true;
          owners.set(session, client);
          sessions.set(client, session);
        }
      }
      return false;
    } catch (error) {
      throw asStoreFailure(error, true);
    } finally {
      for (const client of clients) client.destroy(new StoreUnavailableError('it was a probe'));
    }
  }

  get ended(): boolean {
    return this.#pool.ended;
  }

  /** Ends the connections cleanly, and destroys those that do not end soon. */
  async end(): Promise<void> {
    const cut = setTimeout(() => {
      for (const client of this.#all) client.destroy(new StoreUnavailableError('the service has closed it'));
    }, GOODBYE_MS);
    try {
      await Promise.all([this.#pool.end(), this.#availability.close()]);
    } finally {
      clearTimeout(cut);
    }
  }

  async #take(): Promise<pg.PoolClient> {
    try {
      return await this.#pool.connect();
    } catch (error) {
      const failure = asStoreFailure(error, true);
      // If connections were open and all were busy, the server is reachable.
      const busy = this.#lent.size >= (this.#pool.options.max ?? 1);
      if (failure instanceof Error && !busy && !isServerAnswer(error)) this.#lose(failure);
      throw failure;
    }
  }

  #lend(client: pg.PoolClient & DestroyableClient): DeadlineClient {
    const lent = new DeadlineClient(client, (destroy) => client.release(destroy), {
      deadline: () => Math.min(statementDeadline(this.#statementMs), this.#mostMs),
      onLost: (reason) => this.#lose(reason),
      onRelease: (released) => this.#lent.delete(released),
    });
    this.#lent.add(lent);
    return lent;
  }

  #lose(reason: Error): void {
    this.#suspectBefore = performance.now();
    this.#availability.lose(reason);
  }

  async #greet(client: pg.ClientBase): Promise<void> {
    if (!(client instanceof DestroyableClient)) return;
    await within(client, this.#statementMs, async () => {
      await requireWritable(client);
      await setUpSession(client, this.#statementMs);
    });
  }

  /**
   * Resolves when a new connection is answered. If it is not, statements on older connections are not waited for much
   * longer.
   */
  async #probe(signal: AbortSignal): Promise<void> {
    try {
      await this.#connectOnce(signal);
      this.#suspectBefore = performance.now();
    } catch (error) {
      for (const client of this.#lent) client.hurry(LAST_CHANCE_MS);
      throw error;
    }
  }

  async #connectOnce(signal: AbortSignal): Promise<void> {
    const client = new DestroyableClient(this.options);
    const stop = (): void => client.destroy(new StoreUnavailableError('the service is stopping'));
    signal.addEventListener('abort', stop);
    try {
      await within(client, PROBE_MS, async () => {
        await client.connect();
        await requireWritable(client);
      });
    } finally {
      signal.removeEventListener('abort', stop);
      client.destroy(new StoreUnavailableError('it was a probe'));
    }
  }
}

function trackedIn(all: Set<DestroyableClient>): typeof DestroyableClient {
  return class extends DestroyableClient {
    constructor(config?: pg.ClientConfig) {
      super(config);
      all.add(this);
      this.on('end', () => all.delete(this));
    }
  };
}

async function sessionOf(client: DestroyableClient): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
}

/** Runs work on a connection, which is destroyed if that takes longer than `ms`. */
async function within<T>(client: DestroyableClient, ms: number, work: () => Promise<T>): Promise<T> {
  const late = (): void => client.destroy(new StoreUnavailableError('it did not answer in time'));
  const done = afterDeadline(ms, late);
  try {
    return await work();
  } finally {
    done();
  }
}
