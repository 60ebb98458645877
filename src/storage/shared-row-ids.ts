import { sql } from 'kysely';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { Db } from './database.ts';

/** Ids under which the account's bank lists several rows; mostly none. */
export async function sharedRowIds(
  db: Db,
  owner: OwnerId,
  account: RowId<'account'>,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ readonly row_id: string }>`
    select shared.row_id from shared_row_ids as shared
    join accounts on accounts.id = shared.account
    where shared.account = ${account}::uuid and accounts.account_record = ${owner}::uuid`.execute(db);
  return new Set(rows.map(({ row_id: id }) => id));
}

export interface SharedRowId {
  readonly owner: OwnerId;
  readonly account: RowId<'account'>;
  readonly rowId: string;
  /** How many of the account are noted; further ones are not. */
  readonly most: number;
}

/** Notes that the bank lists several rows of the account under this id. */
export async function noteSharedRowId(db: Db, { owner, account, rowId, most }: SharedRowId): Promise<void> {
  await sql`
    insert into shared_row_ids (account, row_id)
    select accounts.id, ${rowId}::text from accounts
    where accounts.id = ${account}::uuid and accounts.account_record = ${owner}::uuid
      and (select count(*) from shared_row_ids where account = ${account}::uuid) < ${most}::int
    on conflict do nothing`.execute(db);
}
