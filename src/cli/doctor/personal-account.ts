import { findAccountRecord } from '../../storage/account-records.ts';
import type { Db } from '../../storage/database.ts';
import { publicId, type RowId } from '../../vocabulary/ids.ts';
import { type Finding, fail, ok, warn } from './check.ts';

const CHECK = 'personal account';
const ADVICE = 'Set PERSONAL_ACCOUNT to an id that tributary account list prints, or remove it.';

/**
 * Whether PERSONAL_ACCOUNT names an account record that exists; null where it is not set. Where it names none, nobody can
 * link a provider with personal credentials: a failure where `personal` says that there is one.
 */
export async function checkPersonalAccount(
  db: Db,
  named: RowId<'account_record'> | null,
  personal: boolean,
): Promise<Finding | null> {
  if (named === null) return null;
  const id = publicId('account_record', named);
  if ((await findAccountRecord(db, named)) !== null) return ok(CHECK, `PERSONAL_ACCOUNT names ${id}`);
  const found = `PERSONAL_ACCOUNT names ${id}, which is no account record of this database`;
  return personal
    ? fail(CHECK, `${found}: nobody can link a provider with personal credentials`, ADVICE)
    : warn(CHECK, found, ADVICE);
}
