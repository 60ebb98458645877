import { AsyncLocalStorage } from 'node:async_hooks';

/** For work on a whole table: migrations, VACUUM, re-sealing every secret, deleting what is left of a large sync. */
export const MAINTENANCE_MS = 600_000;

const deadlines = new AsyncLocalStorage<number | null>();

/**
 * Runs work whose statements may take `ms` each, waiting for locks included, instead of `statement_deadline_ms`. There
 * is no way to wait forever. Null: back to the ordinary deadline.
 */
export function withStatementDeadline<T>(ms: number | null, work: () => Promise<T>): Promise<T> {
  return deadlines.run(ms, work);
}

/** How long a statement that starts now may take, in milliseconds. @param ordinaryMs if nothing else was set */
export function statementDeadline(ordinaryMs: number): number {
  return deadlines.getStore() ?? ordinaryMs;
}
