import type { Clock } from '../platform/clock.ts';
import type { ErrorCode } from '../vocabulary/error-codes.ts';
import { ServiceError } from '../vocabulary/service-error.ts';
import { isStoreUnavailable } from '../vocabulary/store-unavailable.ts';
import type { Db, Trx } from './database.ts';

/**
 * A transaction that the caller may simply repeat after a failure. A database failure before the commit raises `code`
 * (docs/errors.md, the `…_failed` codes: the write did not take effect and may be repeated): either it never began or
 * it was rolled back. A failure of the commit itself is passed on as it is: its outcome is unknown.
 */
export async function inRetryableTransaction<T>(
  db: Db,
  code: ErrorCode,
  work: (trx: Trx) => Promise<T>,
): Promise<T> {
  let committing = false;
  try {
    return await db.transaction().execute(async (trx) => {
      const written = await work(trx);
      committing = true;
      return written;
    });
  } catch (error) {
    throw committing || error instanceof ServiceError ? error : new ServiceError(code, { cause: error });
  }
}

/** Waits between attempts while the database is unreachable. */
const AGAIN_MS: readonly number[] = [250, 500, 1000, 2000, 4000, 8000];

/** How long a claim outlasts its exchange, in ms: longer than the waits above and the attempts between them. */
export const STORING_MS = 30_000;

/**
 * Stores what a vendor returned for a token that is now used up: a database that is briefly unreachable must not force
 * the person to sign in again. `work` may already have taken effect when it is run again. Raises what `work` raises.
 */
export async function persistently<T>(clock: Clock, work: () => Promise<T>): Promise<T> {
  for (const wait of AGAIN_MS) {
    try {
      return await work();
    } catch (error) {
      if (!isStoreUnavailable(error)) throw error;
      await clock.sleep(wait);
    }
  }
  return work();
}
