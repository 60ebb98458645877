import { AsyncLocalStorage } from 'node:async_hooks';
import { CompiledQuery, type DatabaseConnection, type Driver, type QueryExecutorProvider } from 'kysely';
import { Mutex } from '../platform/mutex.ts';

/** The driver and the connection of it on which a unit's transaction is open. */
interface Held {
  readonly driver: Driver;
  readonly connection: DatabaseConnection;
}

const units = new AsyncLocalStorage<UnitOfWork | null>();

/** The unit that the current work belongs to. Null once that unit has ended: later statements are not part of it. */
export function currentUnit(): UnitOfWork | null {
  const unit = units.getStore();
  return unit === undefined || unit === null || unit.over ? null : unit;
}

/**
 * Runs `work` outside of the current unit: what it writes is kept, whatever the outcome of the unit. For outside calls
 * before the unit's first write. Raises TypeError after that, since `work` could wait for a row or a connection that
 * the unit holds.
 */
export async function apartFromUnit<T>(work: () => Promise<T>): Promise<T> {
  requireNoTransaction();
  return units.run(null, work);
}

/**
 * For code that is about to wait for something outside: raises TypeError if the current unit would keep a transaction
 * open.
 */
export function requireNoTransaction(): void {
  const held = currentUnit()?.held ?? null;
  if (held !== null) throw new TypeError('others are asked before the transaction begins');
}

/**
 * Runs `work` with everything that it writes, directly or indirectly, in one transaction that commits when `work`
 * resolves and is rolled back when it rejects. Transactions of that code become savepoints. The transaction begins with
 * the first statement that may change something, so reads and network calls before it hold no locks. `enter` runs first
 * in it; if it rejects, nothing is written and its error is raised, however `work` handles it.
 */
export async function asOneTransaction<T>(enter: () => Promise<void>, work: () => Promise<T>): Promise<T> {
  const unit = new UnitOfWork(enter);
  let result: T;
  try {
    result = await units.run(unit, work);
  } catch (error) {
    await unit.rollback();
    throw unit.refusal ?? error;
  }
  if (unit.refusal !== null) throw unit.refusal;
  await unit.commit();
  return result;
}

/**
 * Calls back once the writes of the current unit are committed, and not at all if they are rolled back; at once outside
 * of a unit.
 */
export function whenCommitted(callback: () => void): void {
  const unit = currentUnit();
  if (unit === null || unit.held === null) callback();
  else unit.callbacks.push(callback);
}

const callbacks = new WeakMap<DatabaseConnection, (() => void)[]>();

/**
 * Calls back once the transaction is committed, and not at all if it is rolled back; also if the outcome is unknown.
 * Within a unit of work, that is when the unit ends.
 */
export async function onceCommitted(trx: QueryExecutorProvider, callback: () => void): Promise<void> {
  await trx.getExecutor().provideConnection(async (connection) => {
    const known = callbacks.get(connection);
    if (known === undefined) callbacks.set(connection, [callback]);
    else known.push(callback);
  });
}

/** For the driver: takes the callbacks to run when the transaction of this connection is committed. */
export function takeCallbacks(connection: DatabaseConnection): readonly (() => void)[] {
  const known = callbacks.get(connection) ?? [];
  callbacks.delete(connection);
  return known;
}

/** See `asOneTransaction`. The database driver (unit-driver.ts) sends every statement of the work through it. */
export class UnitOfWork {
  readonly callbacks: (() => void)[] = [];
  /** Its statements run one after another, however many the work sends at once. */
  readonly mutex = new Mutex();
  readonly #enter: () => Promise<void>;
  #held: Held | null = null;
  #refusal: unknown = null;
  #over = false;
  #savepoints = 0;

  constructor(enter: () => Promise<void>) {
    this.#enter = enter;
  }

  /** Null until the first write. */
  get held(): Held | null {
    return this.#held;
  }

  get over(): boolean {
    return this.#over;
  }

  /** The error of `enter`; null if it did not reject. */
  get refusal(): unknown {
    return this.#refusal;
  }

  /** Begins the transaction on a connection that the unit keeps from now on. The caller has its turn. */
  async begin(driver: Driver, connection: DatabaseConnection): Promise<void> {
    if (this.#refusal !== null) throw this.#refusal;
    const held = { driver, connection };
    await driver.beginTransaction(connection, {});
    await this.#enterOn(held);
    this.#held = held;
  }

  async #enterOn(held: Held): Promise<void> {
    // Within a unit of its own, because the turn of this one is taken by the statement that waits for it.
    const entering = new UnitOfWork(async () => undefined);
    entering.#held = held;
    try {
      await units.run(entering, this.#enter);
    } catch (error) {
      this.#refusal = error;
      await held.driver.rollbackTransaction(held.connection).catch(() => undefined);
      throw error;
    } finally {
      entering.#over = true;
    }
  }

  async savepoint(connection: DatabaseConnection): Promise<string> {
    this.#savepoints += 1;
    const name = `unit_${this.#savepoints}`;
    await connection.executeQuery(CompiledQuery.raw(`savepoint ${name}`));
    return name;
  }

  async commit(): Promise<void> {
    // The callbacks also run if it is unknown whether the commit took effect: dropping too much cached data is
    // harmless.
    await this.#end(({ driver, connection }) => driver.commitTransaction(connection)).finally(() => {
      for (const callback of this.callbacks) callback();
    });
  }

  /** Never rejects: a connection that cannot roll back is dropped, and the server rolls back. */
  async rollback(): Promise<void> {
    await this.#end(async () => Promise.reject(new RolledBack())).catch(() => undefined);
  }

  async #end(finish: (held: Held) => Promise<void>): Promise<void> {
    // Work that was not awaited may still have a running statement.
    await this.mutex.acquire();
    this.#over = true;
    this.mutex.release();
    const held = this.#held;
    if (held === null) return;
    try {
      await finish(held);
    } catch (error) {
      await held.driver.rollbackTransaction(held.connection).catch(() => undefined);
      throw error;
    } finally {
      await held.driver.releaseConnection(held.connection);
    }
  }
}

class RolledBack extends Error {}
