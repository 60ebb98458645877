import type { DatabaseConnection, QueryExecutorProvider } from 'kysely';

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
