import type { ErrorCode } from '../vocabulary/error-codes.ts';
import { ServiceError } from '../vocabulary/service-error.ts';
import type { Db, Trx } from './database.ts';

/**
 * A transaction whose failure the caller may simply repeat. A fault of the database while the work is under way raises
 * `code` (SPEC: the write did not take effect, safe to retry), because it was rolled back. A fault of the commit
 * itself is passed on as it is: then nobody knows.
 */
export async function writeWhole<T>(db: Db, code: ErrorCode, work: (trx: Trx) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (trx) => {
    try {
      return await work(trx);
    } catch (error) {
      throw error instanceof ServiceError ? error : new ServiceError(code, { cause: error });
    }
  });
}
