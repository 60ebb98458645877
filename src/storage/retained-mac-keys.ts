import type { Selectable } from 'kysely';
import type { Db } from './database.ts';
import type { RetainedMacKeysTable } from './encryption-tables.ts';

export async function listRetainedMacKeys(db: Db): Promise<Selectable<RetainedMacKeysTable>[]> {
  return db.selectFrom('retained_mac_keys').selectAll().execute();
}

/** One that is there already stays. */
export async function insertRetainedMacKey(db: Db, row: Selectable<RetainedMacKeysTable>): Promise<void> {
  await db
    .insertInto('retained_mac_keys')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}
