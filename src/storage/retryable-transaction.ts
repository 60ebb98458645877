import type { Clock } from '../platform/clock.ts';
import type { ErrorCode } from '../vocabulary/error-codes.ts';
import { ServiceError } from '../vocabulary/service-error.ts';
import { isStoreUnavailable } from '../vocabulary/store-unavailable.ts';
import type { Db, Trx } from './database.ts';

/**
 * A transaction whose failure the caller may simply repeat. A fault of the database before the commit raises `code`
 * (docs/errors.md, the `…_failed` codes: the write did not take effect and may be repeated): either it never began or
 * it was rolled back. A fault of the commit itself is passed on as it is: then nobody knows.
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

/** How long a claim outlasts the exchange it is for, in ms: longer than the waits above and the attempts between. */
export const STORING_MS = 30_000;

/**
 * Stores what a vendor gave in exchange for a token that is spent by now: a database that is away for moments must not
 * cost the person a new sign-in. `work` may have taken effect although it is run again. Raises what `work` raises.
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
