import { type Selectable, sql } from 'kysely';
import type { OwnerId } from '../vocabulary/ids.ts';
import type { Db, Trx } from './database.ts';
import type { AccountRecordsTable } from './identity-tables.ts';

export type AccountRecord = Selectable<AccountRecordsTable>;
export type AccountRecordChange = Partial<
  Pick<AccountRecord, 'name' | 'plan' | 'status' | 'trial_ends_at' | 'limits' | 'timezone' | 'caching'>
>;

/** False if another request has just created one with the same email address. */
export async function insertAccountRecord(db: Db, record: AccountRecord): Promise<boolean> {
  const inserted = await db
    .insertInto('account_records')
    .values({ ...record, limits: JSON.stringify(record.limits) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

export async function findAccountRecord(db: Db, id: OwnerId): Promise<AccountRecord | null> {
  return (await db.selectFrom('account_records').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

/** The same, but null for one that is being deleted, which no one may use any more. */
export async function findOpenAccountRecord(db: Db, id: OwnerId): Promise<AccountRecord | null> {
  const record = await findAccountRecord(db, id);
  return record?.removal_asked_at === null ? record : null;
}

/** Oldest first; all of them without a limit, which only the operator asks for. */
export async function listAccountRecords(db: Db, limit?: number): Promise<AccountRecord[]> {
  const query = db.selectFrom('account_records').selectAll().orderBy('id');
  return limit === undefined ? query.execute() : query.limit(limit).execute();
}

/** The account record with the e-mail address, in whatever case it is written; null if there is none. */
export async function findAccountRecordByEmail(db: Db, email: string): Promise<AccountRecord | null> {
  const query = db.selectFrom('account_records').selectAll();
  return (await query.where(sql`lower(email)`, '=', sql`lower(${email})`).executeTakeFirst()) ?? null;
}

/** The oldest account record that is not being deleted; null if there is none. */
export async function oldestAccountRecord(db: Db): Promise<AccountRecord | null> {
  const query = db.selectFrom('account_records').selectAll().where('removal_asked_at', 'is', null);
  return (await query.orderBy('id').limit(1).executeTakeFirst()) ?? null;
}

/** Whether the installation has one account record and no other. */
export async function hasOneAccountRecord(db: Db): Promise<boolean> {
  return (await db.selectFrom('account_records').select('id').limit(2).execute()).length === 1;
}

export async function updateAccountRecord(
  db: Db,
  id: OwnerId,
  change: AccountRecordChange & Partial<Pick<AccountRecord, 'email'>>,
  now: Date,
): Promise<AccountRecord | null> {
  const { limits, ...rest } = change;
  const row = await db
    .updateTable('account_records')
    .set({ ...rest, ...(limits === undefined ? {} : { limits: JSON.stringify(limits) }), updated: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Locks the account record's row until the transaction ends, so that checks of its limits cannot race. Returns the
 * current row, or null if there is none.
 */
export async function lockAccountRecord(trx: Trx, id: OwnerId): Promise<AccountRecord | null> {
  const query = trx.selectFrom('account_records').selectAll().where('id', '=', id).forNoKeyUpdate();
  return (await query.executeTakeFirst()) ?? null;
}
