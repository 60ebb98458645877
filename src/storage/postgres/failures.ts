import pg from 'pg';
import { StoreUnavailableError } from '../../vocabulary/store-unavailable.ts';
import { READ_ONLY_TRANSACTION, saysUnavailable } from '../sql-states.ts';

/**
 * The error to raise for a failed statement: StoreUnavailableError if the server or the connection to it is at fault,
 * else the error itself. @param broken whether the connection is down
 */
export function asStoreFailure(error: unknown, broken: boolean): unknown {
  if (error instanceof StoreUnavailableError) return error;
  const code = codeOf(error);
  const unavailable = code === null ? broken : saysUnavailable(code);
  return unavailable ? new StoreUnavailableError(messageOf(error), { cause: error }) : error;
}

/** Whether a refused connection is the server's own answer, which says nothing about existing connections. */
export function isServerAnswer(error: unknown): boolean {
  return codeOf(error) !== null && codeOf(error) !== '57P03';
}

/** Whether the server refused a write because it is a standby, or set to take only reads. */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === READ_ONLY_TRANSACTION;
}

function codeOf(error: unknown): string | null {
  return error instanceof pg.DatabaseError && error.code !== undefined ? error.code : null;
}

function messageOf(error: unknown): string {
  // A connection that fails over several addresses raises one error that contains the others, and has no message
  // itself.
  const said = error instanceof AggregateError ? error.errors[0] : error;
  return said instanceof Error ? said.message : String(said);
}
