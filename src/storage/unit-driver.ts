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
import { Turn } from '../platform/turn.ts';
import { currentUnit, type UnitOfWork } from './unit-of-work.ts';

type Waiting = Parameters<Driver['acquireConnection']>[0];
type Compile = Parameters<NonNullable<Driver['savepoint']>>[2];

/**
 * The dialect with units of work: a connection asked for inside a unit is the unit's own. `single`: there is one
 * connection, which everybody takes in turn.
 */
export function withUnits(dialect: Dialect, single: boolean): Dialect {
  return {
    createAdapter: () => (single ? new TakesTurns() : dialect.createAdapter()),
    createDriver: () => new UnitDriver(dialect.createDriver(), single ? new Turn() : null),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
  };
}

/** Kysely would make statements of a unit wait for the connection that their own unit has. */
class TakesTurns extends PGliteAdapter implements DialectAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

class UnitDriver implements Driver {
  readonly #driver: Driver;
  readonly #turn: Turn | null;
  /** What a unit holds on to: the driver beneath, with the turn of a single connection. */
  readonly #base: Driver;

  constructor(driver: Driver, turn: Turn | null) {
    this.#driver = driver;
    this.#turn = turn;
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
    unit.turn.give();
    if (!kept) await this.#give(real);
  }

  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    if (!(connection instanceof UnitConnection)) return this.#driver.beginTransaction(connection, settings);
    await connection.beginInner();
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    if (!(connection instanceof UnitConnection)) return this.#driver.commitTransaction(connection);
    await connection.endInner('release savepoint');
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
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
    return this.#turn === null
      ? this.#driver.acquireConnection(options)
      : this.#takeTurn(this.#turn, options);
  }

  async #takeTurn(turn: Turn, options?: Waiting): Promise<DatabaseConnection> {
    await turn.take();
    try {
      return await this.#driver.acquireConnection(options);
    } catch (error) {
      turn.give();
      throw error;
    }
  }

  /** The unit's connection; before its first write any, which the unit keeps if this statement turns out to be it. */
  async #takeIn(unit: UnitOfWork, options?: Waiting): Promise<DatabaseConnection> {
    await unit.turn.take();
    try {
      if (!unit.over) {
        const connection = unit.held?.connection ?? (await this.#take(options));
        return new UnitConnection(unit, this.#base, connection);
      }
    } catch (error) {
      unit.turn.give();
      throw error;
    }
    unit.turn.give();
    return this.#take(options);
  }

  async #give(connection: DatabaseConnection): Promise<void> {
    try {
      await this.#driver.releaseConnection(connection);
    } finally {
      this.#turn?.give();
    }
  }
}

/** A connection lent to one statement or one inner transaction of a unit. */
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
