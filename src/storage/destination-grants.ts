import { sql } from 'kysely';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { Db } from './database.ts';
import { owned } from './owned-rows.ts';

type Id = RowId<'destination'>;

/**
 * Makes this process the one that exchanges the destination's grant, until `until`: unless another is doing so, or the
 * grant is another by now.
 */
export async function claimGrant(
  db: Db,
  owner: OwnerId,
  id: Id,
  sealed: Uint8Array,
  times: { readonly now: Date; readonly until: Date },
): Promise<boolean> {
  const row = await db
    .updateTable('destinations')
    .set({ grant_claimed_until: times.until })
    .where('account_record', '=', owner)
    .where('id', '=', id)
    .where('grant', '=', sealed)
    .where((eb) => eb.or([eb('grant_claimed_until', 'is', null), eb('grant_claimed_until', '<=', times.now)]))
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Puts a grant in the place of the one it was exchanged for. False when that one is not there any more. */
export async function replaceGrant(
  db: Db,
  owner: OwnerId,
  id: Id,
  sealed: { readonly old: Uint8Array; readonly new: Uint8Array },
): Promise<boolean> {
  const row = await db
    .updateTable('destinations')
    .set({ grant: sealed.new, grant_claimed_until: null })
    .where('account_record', '=', owner)
    .where('id', '=', id)
    .where('grant', '=', sealed.old)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Gives up the claim that ends at `until`, where the exchange brought no new grant. */
export async function freeGrant(db: Db, owner: OwnerId, id: Id, until: Date): Promise<void> {
  await owned(db.updateTable('destinations').set({ grant_claimed_until: null }), owner, id)
    .where('grant_claimed_until', '=', until)
    .execute();
}

/**
 * Makes this process the one that makes a target for a draft, until `until`, unless another is doing so. Returns the key
 * of the attempt: `key`, or that of an earlier one of which nobody knows the end. Null: claimed, aimed or gone.
 */
export async function claimCreation(
  db: Db,
  owner: OwnerId,
  id: Id,
  attempt: { readonly key: string; readonly now: Date; readonly until: Date },
): Promise<string | null> {
  const row = await db
    .updateTable('destinations')
    .set({
      creating_until: attempt.until,
      creation_key: sql<string>`coalesce(creation_key, ${attempt.key}::uuid)`,
    })
    .where('account_record', '=', owner)
    .where('id', '=', id)
    .where('status', '=', 'incomplete')
    .where((eb) => eb.or([eb('creating_until', 'is', null), eb('creating_until', '<=', attempt.now)]))
    .returning('creation_key')
    .executeTakeFirst();
  return row?.creation_key ?? null;
}

/** Ends the attempt. `made`: the key is spent too, because what it made is recorded or certainly nothing was made. */
export async function endCreation(
  db: Db,
  owner: OwnerId,
  id: Id,
  key: string,
  { made }: { readonly made: boolean },
): Promise<void> {
  await db
    .updateTable('destinations')
    .set({ creating_until: null, ...(made ? { creation_key: null } : {}) })
    .where('account_record', '=', owner)
    .where('id', '=', id)
    .where('creation_key', '=', key)
    .execute();
}
