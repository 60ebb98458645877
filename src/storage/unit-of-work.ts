import { AsyncLocalStorage } from 'node:async_hooks';
import { CompiledQuery, type DatabaseConnection, type Driver } from 'kysely';
import { Mutex } from '../platform/mutex.ts';

/** The driver and the connection of it on which a unit's transaction is open. */
interface Held {
  readonly driver: Driver;
  readonly connection: DatabaseConnection;
}

const units = new AsyncLocalStorage<UnitOfWork | null>();

/** The unit that the present work belongs to. Null once that unit has ended: what comes late is on its own. */
export function currentUnit(): UnitOfWork | null {
  const unit = units.getStore();
  return unit === undefined || unit === null || unit.over ? null : unit;
}

/**
 * Runs `work` as if it belonged to no unit: what it writes stays, whatever becomes of the unit. For asking others before
 * the unit's first write. Raises TypeError after that, since `work` could wait for a row or a connection that the unit has.
 */
export async function apartFromUnit<T>(work: () => Promise<T>): Promise<T> {
  requireNoTransaction();
  return units.run(null, work);
}

/** For anyone who is about to wait for others: raises TypeError where the present unit would keep a transaction open. */
export function requireNoTransaction(): void {
  const held = currentUnit()?.held ?? null;
  if (held !== null) throw new TypeError('others are asked before the transaction begins');
}

/**
 * Runs `work` with everything it writes, through whatever code, in one transaction that commits when `work` resolves
 * and is rolled back when it rejects. Transactions of that code become savepoints. The transaction begins with the first
 * statement that may change something, so reads and network calls before it hold nothing. `enter` is its first work; if
 * it rejects, nothing is written and its error is raised, whatever `work` makes of it.
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

/** Calls back once what the present unit has written is committed, not at all if it is rolled back; else at once. */
export function whenCommitted(callback: () => void): void {
  const unit = currentUnit();
  if (unit === null || unit.held === null) callback();
  else unit.callbacks.push(callback);
}

/** See `asOneTransaction`. The driver of the database (unit-driver.ts) leads every statement of the work through it. */
export class UnitOfWork {
  readonly callbacks: (() => void)[] = [];
  /** Its statements go one after another, however many of them the work sends at once. */
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

  /** What `enter` rejected with; null if it did not. */
  get refusal(): unknown {
    return this.#refusal;
  }

  /** Begins the transaction on a connection that the unit keeps from now on. The caller has the turn. */
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
    // The callbacks run also when nobody knows whether the commit took effect: to forget too much is harmless.
    await this.#end(({ driver, connection }) => driver.commitTransaction(connection)).finally(() => {
      for (const callback of this.callbacks) callback();
    });
  }

  /** Never rejects: a connection that cannot roll back is dropped, and the server rolls back by itself. */
  async rollback(): Promise<void> {
    await this.#end(async () => Promise.reject(new RolledBack())).catch(() => undefined);
  }

  async #end(finish: (held: Held) => Promise<void>): Promise<void> {
    // Work that nobody awaited may still have a statement under way.
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
