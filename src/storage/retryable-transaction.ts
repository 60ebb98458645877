import type { ErrorCode } from '../vocabulary/error-codes.ts';
import { ServiceError } from '../vocabulary/service-error.ts';
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
