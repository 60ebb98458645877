import type { Selectable } from 'kysely';
import type { RowId } from '../vocabulary/ids.ts';
import type { Db, Trx } from './database.ts';
import type { SecondFactorsTable } from './identity-tables.ts';

export type SecondFactor = Selectable<SecondFactorsTable>;
type User = RowId<'user'>;

export async function findSecondFactor(db: Db, user: User): Promise<SecondFactor | null> {
  const query = db.selectFrom('second_factors').selectAll().where('user_id', '=', user);
  return (await query.executeTakeFirst()) ?? null;
}

/** Replaces one that was not confirmed. False if one is. */
export async function putSecondFactor(db: Db, factor: SecondFactor): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('second_factors')
    .values(factor)
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({
          id: factor.id,
          secret: factor.secret,
          last_step: factor.last_step,
          created: factor.created,
        })
        .where('second_factors.confirmed_at', 'is', null),
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** False if it has been replaced, or is already confirmed. */
export async function confirmSecondFactor(
  trx: Trx,
  { id }: Pick<SecondFactor, 'id'>,
  { step, now }: { readonly step: number; readonly now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('second_factors')
    .set({ confirmed_at: now, last_step: step })
    .where('id', '=', id)
    .where('confirmed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Records the time step of a code that was used. False if that step, or a later one, was already used. */
export async function noteStep(db: Db, { id }: Pick<SecondFactor, 'id'>, step: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('second_factors')
    .set({ last_step: step })
    .where('id', '=', id)
    .where('last_step', '<', step)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** With its recovery codes. False if there is none. */
export async function deleteSecondFactor(trx: Trx, user: User): Promise<boolean> {
  await trx.deleteFrom('recovery_codes').where('user_id', '=', user).execute();
  const { numDeletedRows } = await trx
    .deleteFrom('second_factors')
    .where('user_id', '=', user)
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}

/** Replaces all earlier ones. */
export async function replaceRecoveryCodes(
  trx: Trx,
  user: User,
  hashes: readonly Uint8Array[],
): Promise<void> {
  await trx.deleteFrom('recovery_codes').where('user_id', '=', user).execute();
  await trx
    .insertInto('recovery_codes')
    .values(hashes.map((hash) => ({ code_hash: hash, user_id: user, used_at: null })))
    .execute();
}

/** False if the person has no such code, or has used it. */
export async function spendRecoveryCode(db: Db, user: User, hash: Uint8Array, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('recovery_codes')
    .set({ used_at: now })
    .where('code_hash', '=', hash)
    .where('user_id', '=', user)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** How many are unused. */
export async function countRecoveryCodes(db: Db, user: User): Promise<number> {
  const { count } = await db
    .selectFrom('recovery_codes')
    .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('count'))
    .where('user_id', '=', user)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}
