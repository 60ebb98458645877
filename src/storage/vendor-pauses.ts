import { sql } from 'kysely';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { Db } from './database.ts';

/** A kind of read of one account. */
export interface PausedRead {
  readonly owner: OwnerId;
  readonly account: RowId<'account'>;
  readonly what: string;
}

/** Epoch milliseconds. */
export interface VendorPause {
  readonly since: number;
  readonly until: number;
}

/** The pause that a provider last asked for, past or not; null where it never did. */
export async function findVendorPause(
  db: Db,
  { owner, account, what }: PausedRead,
): Promise<VendorPause | null> {
  const row = await db
    .selectFrom('vendor_pauses')
    .innerJoin('accounts', 'accounts.id', 'vendor_pauses.account')
    .select(['vendor_pauses.since', 'vendor_pauses.until'])
    .where('vendor_pauses.account', '=', account)
    .where('vendor_pauses.what', '=', what)
    .where('accounts.account_record', '=', owner)
    .executeTakeFirst();
  return row === undefined ? null : { since: row.since.getTime(), until: row.until.getTime() };
}

/** Notes a pause, one for each kind of read of an account, and deletes those of the account that have ended. */
export async function noteVendorPause(
  db: Db,
  { owner, account, what }: PausedRead,
  pause: VendorPause,
): Promise<void> {
  const since = new Date(pause.since);
  const until = new Date(pause.until);
  await sql`delete from vendor_pauses where account = ${account}::uuid and until < ${since}`.execute(db);
  await sql`
    insert into vendor_pauses (account, what, since, until)
    select accounts.id, ${what}::text, ${since}::timestamptz, ${until}::timestamptz from accounts
    where accounts.id = ${account}::uuid and accounts.account_record = ${owner}::uuid
    on conflict (account, what) do update set since = excluded.since, until = excluded.until`.execute(db);
}
