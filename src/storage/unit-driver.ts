import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type DialectAdapter,
  type Driver,
  PGliteAdapter,
  SelectQueryNode,
  type TransactionSettings,
} from 'kysely';
import { Mutex } from '../platform/mutex.ts';
import { StoreUnavailableError } from '../vocabulary/store-unavailable.ts';
import { statementDeadline } from './statement-deadline.ts';
import { currentUnit, takeCallbacks, type UnitOfWork } from './unit-of-work.ts';

type Waiting = Parameters<Driver['acquireConnection']>[0];
type Compile = Parameters<NonNullable<Driver['savepoint']>>[2];

/** One connection for all; a caller that waits for it longer than `waitMs` is refused. */
interface SingleConnection {
  readonly waitMs: number;
}

/**
 * The dialect with units of work: a connection requested inside a unit is the unit's own. `single`: there is one
 * connection, which all callers take in turn.
 */
export function withUnits(dialect: Dialect, single: SingleConnection | null): Dialect {
  return {
    createAdapter: () => (single !== null ? new OneConnectionAdapter() : dialect.createAdapter()),
    createDriver: () => new UnitDriver(dialect.createDriver(), single),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
  };
}

/** Kysely would make statements of a unit wait for the connection that their own unit holds. */
class OneConnectionAdapter extends PGliteAdapter implements DialectAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

class UnitDriver implements Driver {
  readonly #driver: Driver;
  readonly #mutex: Mutex | null;
  readonly #waitMs: number;
  /** What a unit holds: the underlying driver, and its turn on a single connection. */
  readonly #base: Driver;

  constructor(driver: Driver, single: SingleConnection | null) {
    this.#driver = driver;
    this.#mutex = single === null ? null : new Mutex();
    this.#waitMs = single?.waitMs ?? Number.POSITIVE_INFINITY;
    this.#base = {
      init: (options) => driver.init(options),
      acquireConnection: (options) => driver.acquireConnection(options),
      beginTransaction: (connection, settings) => driver.beginTransaction(connection, settings),
      commitTransaction: (connection) => driver.commitTransaction(connection),
      rollbackTransaction: (connection) => driver.rollbackTransaction(connection),
      releaseConnection: (connection) => this.#give(connection),
      destroy: (options) => driver.destroy(options),
    };
  }

  init(options?: Waiting): Promise<void> {
    return this.#driver.init(options);
  }

  destroy(options?: Waiting): Promise<void> {
    return this.#driver.destroy(options);
  }

  acquireConnection(options?: Waiting): Promise<DatabaseConnection> {
    const unit = currentUnit();
    return unit === null ? this.#take(options) : this.#takeIn(unit, options);
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    if (!(connection instanceof UnitConnection)) return this.#give(connection);
    const { unit, connection: real } = connection;
    const kept = unit.held?.connection === real;
    unit.mutex.release();
    if (!kept) await this.#give(real);
  }

  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    if (!(connection instanceof UnitConnection)) return this.#driver.beginTransaction(connection, settings);
    await connection.beginInner();
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const callbacks = takeCallbacks(connection);
    if (connection instanceof UnitConnection) {
      await connection.endInner('release savepoint');
      connection.unit.callbacks.push(...callbacks);
      return;
    }
    await this.#driver.commitTransaction(connection).finally(() => {
      for (const callback of callbacks) callback();
    });
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    takeCallbacks(connection);
    if (!(connection instanceof UnitConnection)) return this.#driver.rollbackTransaction(connection);
    await connection.endInner('rollback to savepoint');
  }

  async savepoint(connection: DatabaseConnection, name: string, compile: Compile): Promise<void> {
    await this.#driver.savepoint?.(connection, name, compile);
  }

  async rollbackToSavepoint(connection: DatabaseConnection, name: string, compile: Compile): Promise<void> {
    await this.#driver.rollbackToSavepoint?.(connection, name, compile);
  }

  async releaseSavepoint(connection: DatabaseConnection, name: string, compile: Compile): Promise<void> {
    await this.#driver.releaseSavepoint?.(connection, name, compile);
  }

  #take(options?: Waiting): Promise<DatabaseConnection> {
    return this.#mutex === null
      ? this.#driver.acquireConnection(options)
      : this.#acquireInTurn(this.#mutex, options);
  }

  async #acquireInTurn(mutex: Mutex, options?: Waiting): Promise<DatabaseConnection> {
    await mutex.acquire(statementDeadline(this.#waitMs)).catch((error: unknown) => {
      throw new StoreUnavailableError('it is busy with other statements', { cause: error });
    });
    try {
      return await this.#driver.acquireConnection(options);
    } catch (error) {
      mutex.release();
      throw error;
    }
  }

  /**
   * The unit's connection; before its first write, any connection, which the unit keeps if this statement is that
   * write.
   */
  async #takeIn(unit: UnitOfWork, options?: Waiting): Promise<DatabaseConnection> {
    await unit.mutex.acquire();
    try {
      if (!unit.over) {
        const connection = unit.held?.connection ?? (await this.#take(options));
        return new UnitConnection(unit, this.#base, connection);
      }
    } catch (error) {
      unit.mutex.release();
      throw error;
    }
    unit.mutex.release();
    return this.#take(options);
  }

  async #give(connection: DatabaseConnection): Promise<void> {
    try {
      await this.#driver.releaseConnection(connection);
    } finally {
      this.#mutex?.release();
    }
  }
}

/** A connection on loan to one statement or one inner transaction of a unit. */
class UnitConnection implements DatabaseConnection {
  readonly unit: UnitOfWork;
  readonly connection: DatabaseConnection;
  readonly #driver: Driver;
  #savepoint: string | null = null;

  constructor(unit: UnitOfWork, driver: Driver, connection: DatabaseConnection) {
    this.unit = unit;
    this.connection = connection;
    this.#driver = driver;
  }

  executeQuery: DatabaseConnection['executeQuery'] = async (query, options) => {
    if (mayChange(query)) await this.#begun();
    return this.connection.executeQuery(query, options);
  };

  streamQuery: DatabaseConnection['streamQuery'] = (query, chunkSize, options) =>
    this.connection.streamQuery(query, chunkSize, options);

  async beginInner(): Promise<void> {
    await this.#begun();
    this.#savepoint = await this.unit.savepoint(this.connection);
  }

  async endInner(command: 'release savepoint' | 'rollback to savepoint'): Promise<void> {
    await this.connection.executeQuery(CompiledQuery.raw(`${command} ${this.#savepoint}`));
  }

  async #begun(): Promise<void> {
    if (this.unit.held === null) await this.unit.begin(this.#driver, this.connection);
  }
}

function mayChange({ query }: CompiledQuery): boolean {
  return !SelectQueryNode.is(query) || query.with !== undefined;
}
