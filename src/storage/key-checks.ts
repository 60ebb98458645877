import type { Selectable } from 'kysely';
import type { Db } from './database.ts';
import type { RetainedMacKeysTable } from './service-tables.ts';

/** The value of the first process that asked: that of a second one is not stored. */
export async function firstKeyCheck(db: Db, id: string, sealed: Uint8Array): Promise<Uint8Array> {
  await db
    .insertInto('key_checks')
    .values({ id, sealed })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  const query = db.selectFrom('key_checks').select('sealed').where('id', '=', id);
  return (await query.executeTakeFirstOrThrow()).sealed;
}

/** Deletes the value if the database contains nothing else: no account record, so nothing sealed. */
export async function releaseKeyCheck(db: Db): Promise<void> {
  await db
    .deleteFrom('key_checks')
    .where(({ not, exists, selectFrom }) => not(exists(selectFrom('account_records').select('id'))))
    .execute();
}

export async function listRetainedMacKeys(db: Db): Promise<Selectable<RetainedMacKeysTable>[]> {
  return db.selectFrom('retained_mac_keys').selectAll().execute();
}

/** One that already exists is kept. */
export async function insertRetainedMacKey(db: Db, row: Selectable<RetainedMacKeysTable>): Promise<void> {
  await db
    .insertInto('retained_mac_keys')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}
