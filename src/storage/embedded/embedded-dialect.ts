import { type DatabaseConnection, type Driver, PGliteDialect, type QueryResult } from 'kysely';
import type { EmbeddedRows } from './messages.ts';

interface Transaction {
  query<T>(sql: string, params?: unknown[]): Promise<EmbeddedRows<T>>;
}

/** PGlite, or something with the same interface. */
export interface PGliteLike {
  readonly closed: boolean;
  query<T>(sql: string, params?: unknown[]): Promise<EmbeddedRows<T>>;
  transaction<T>(callback: (trx: Transaction) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/**
 * Kysely's dialect for PGlite with our own driver: Kysely's waits forever for a transaction that cannot begin because
 * the database is unreachable, and does not handle its rejection, which ends the process.
 */
export class EmbeddedDialect extends PGliteDialect {
  readonly #pglite: PGliteLike;

  constructor(pglite: ConstructorParameters<typeof PGliteDialect>[0]['pglite'] & PGliteLike) {
    super({ pglite });
    this.#pglite = pglite;
  }

  override createDriver(): Driver {
    return new EmbeddedDriver(this.#pglite);
  }
}

class EmbeddedDriver implements Driver {
  readonly #pglite: PGliteLike;
  readonly #connection: EmbeddedConnection;

  constructor(pglite: PGliteLike) {
    this.#pglite = pglite;
    this.#connection = new EmbeddedConnection(pglite);
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {}

  beginTransaction(): Promise<void> {
    return this.#connection.begin();
  }

  commitTransaction(): Promise<void> {
    return this.#connection.end(null);
  }

  async rollbackTransaction(): Promise<void> {
    await this.#connection.end(new RolledBack()).catch(() => undefined);
  }

  async destroy(): Promise<void> {
    if (!this.#pglite.closed) await this.#pglite.close();
  }
}

/** The only connection. Its current holder begins and ends transactions on it. */
class EmbeddedConnection implements DatabaseConnection {
  readonly #pglite: PGliteLike;
  #open: {
    readonly trx: Transaction;
    readonly settle: (failure: Error | null) => void;
    readonly ended: Promise<void>;
  } | null = null;

  constructor(pglite: PGliteLike) {
    this.#pglite = pglite;
  }

  executeQuery: DatabaseConnection['executeQuery'] = async <R>({
    sql,
    parameters,
  }: {
    readonly sql: string;
    readonly parameters: readonly unknown[];
  }): Promise<QueryResult<R>> => {
    const on = this.#open?.trx ?? this.#pglite;
    const { rows, affectedRows } = await on.query<R>(sql, [...parameters]);
    return { rows, ...(affectedRows === undefined ? {} : { numAffectedRows: BigInt(affectedRows) }) };
  };

  streamQuery: DatabaseConnection['streamQuery'] = () => {
    throw new TypeError('results are not streamed');
  };

  begin(): Promise<void> {
    return new Promise((resolve, reject) => {
      const work = Promise.withResolvers<void>();
      const ended = this.#pglite.transaction(async (trx) => {
        const settle = (failure: Error | null): void =>
          failure === null ? work.resolve() : work.reject(failure);
        this.#open = { trx, settle, ended };
        resolve();
        await work.promise;
      });
      // For a transaction that never began; otherwise `end` waits for its end.
      ended.catch(reject);
    });
  }

  /** Commits, or rolls back for `failure`, which is raised. */
  async end(failure: Error | null): Promise<void> {
    const open = this.#open;
    this.#open = null;
    open?.settle(failure);
    await open?.ended;
  }
}

class RolledBack extends Error {}
