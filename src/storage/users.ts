import { type Selectable, sql } from 'kysely';
import type { RowId } from '../vocabulary/ids.ts';
import type { Db, Trx } from './database.ts';
import type { UsersTable } from './identity-tables.ts';

export type User = Selectable<UsersTable>;

/** False if the address is already taken. */
export async function insertUser(db: Db, user: User): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('users')
    .values(user)
    .onConflict((conflict) => conflict.column('email_normalised').doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export async function findUser(db: Db, id: RowId<'user'>): Promise<User | null> {
  return (await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

/** @param email in its normalised form */
export async function findUserByEmail(db: Db, email: string): Promise<User | null> {
  const query = db.selectFrom('users').selectAll().where('email_normalised', '=', email);
  return (await query.executeTakeFirst()) ?? null;
}

export async function hasUsers(db: Db): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** Locks the person's row until the transaction ends, so that checks of their limits cannot race. */
export async function lockUser(trx: Trx, id: RowId<'user'>): Promise<User | null> {
  const query = trx.selectFrom('users').selectAll().where('id', '=', id).forNoKeyUpdate();
  return (await query.executeTakeFirst()) ?? null;
}

export async function setPasswordHash(db: Db, id: RowId<'user'>, hash: string, now: Date): Promise<void> {
  await db.updateTable('users').set({ password_hash: hash, updated: now }).where('id', '=', id).execute();
}

/** Replaces a hash with one of newer parameters; a password changed in the meantime is kept. */
export async function replacePasswordHash(
  db: Db,
  id: RowId<'user'>,
  { before, after }: { readonly before: string; readonly after: string },
): Promise<void> {
  await db
    .updateTable('users')
    .set({ password_hash: after })
    .where('id', '=', id)
    .where('password_hash', '=', before)
    .execute();
}

/** False if another person has the address. @param email both as written and in its normalised form */
export async function setEmail(
  trx: Trx,
  id: RowId<'user'>,
  { email, normalised }: { readonly email: string; readonly normalised: string },
  now: Date,
): Promise<boolean> {
  // If two people want the same address at once, the second waits here and then sees the first.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`user ${normalised}`}, 0))`.execute(trx);
  const taken = await findUserByEmail(trx, normalised);
  if (taken !== null && taken.id !== id) return false;
  await trx
    .updateTable('users')
    .set({ email, email_normalised: normalised, updated: now })
    .where('id', '=', id)
    .execute();
  return true;
}

/** The operators of the installation. */
export async function listOperators(db: Db): Promise<User[]> {
  return db.selectFrom('users').selectAll().where('operator', '=', true).orderBy('created').execute();
}

/** False if there is no such person. @param email in its normalised form */
export async function setOperator(db: Db, email: string, operator: boolean, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ operator, updated: now })
    .where('email_normalised', '=', email)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}
