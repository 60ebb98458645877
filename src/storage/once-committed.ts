import type { DatabaseConnection, QueryExecutorProvider } from 'kysely';

const callbacks = new WeakMap<DatabaseConnection, (() => void)[]>();

/**
 * Calls back once the transaction is committed, and not at all if it is rolled back; also where nobody knows which of
 * the two it was. Within a unit of work, that is when the unit ends.
 */
export async function onceCommitted(trx: QueryExecutorProvider, callback: () => void): Promise<void> {
  await trx.getExecutor().provideConnection(async (connection) => {
    const known = callbacks.get(connection);
    if (known === undefined) callbacks.set(connection, [callback]);
    else known.push(callback);
  });
}

/** For the driver: what is to be called when the transaction of this connection is committed; it is forgotten here. */
export function takeCallbacks(connection: DatabaseConnection): readonly (() => void)[] {
  const known = callbacks.get(connection) ?? [];
  callbacks.delete(connection);
  return known;
}
