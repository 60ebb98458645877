/** read_only_sql_transaction: a standby after a failover. */
export const READ_ONLY_TRANSACTION = '25006';

/** lock_not_available, as after lock_timeout, and deadlock_detected: the same work may succeed later. */
const LOCK_FAILURES: ReadonlySet<unknown> = new Set(['55P03', '40P01']);

/** Whether a statement failed because of a lock of another transaction. */
export function isLockFailure(error: unknown): boolean {
  return error instanceof Error && 'code' in error && LOCK_FAILURES.has(error.code);
}

/** query_canceled: by statement_timeout, or by another session. */
const CANCELLED = '57014';

/** Whether the server gave up a statement before its end. */
export function isCancelled(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause)
    if ('code' in at && at.code === CANCELLED) return true;
  return false;
}

/** Classes of SQLSTATE that say Postgres cannot work now: connection exception, insufficient resources. */
const CLASSES: ReadonlySet<string> = new Set(['08', '53']);
/** Single codes of that kind (PostgreSQL manual, Appendix A). */
const CODES: ReadonlySet<string> = new Set([
  READ_ONLY_TRANSACTION,
  '25P03', // idle_in_transaction_session_timeout
  '25P04', // transaction_timeout
  CANCELLED,
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '57P05', // idle_session_timeout
  '58030', // io_error: the disk
]);

/** Whether an error with this SQLSTATE is a problem of the database and not of the statement. */
export function saysUnavailable(code: string): boolean {
  return CLASSES.has(code.slice(0, 2)) || CODES.has(code);
}
