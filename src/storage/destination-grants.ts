import { sql } from 'kysely';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { Db } from './database.ts';
import { owned } from './owned-rows.ts';

type Id = RowId<'destination'>;

/**
 * Claims the exchange of the destination's grant for this process, until `until`: unless another process has claimed
 * it, or the grant has been replaced.
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

/** Replaces a grant with the one it was exchanged for. False if the old one is no longer stored. */
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

/** Releases the claim that ends at `until`, after an exchange that brought no new grant. */
export async function freeGrant(db: Db, owner: OwnerId, id: Id, until: Date): Promise<void> {
  await owned(db.updateTable('destinations').set({ grant_claimed_until: null }), owner, id)
    .where('grant_claimed_until', '=', until)
    .execute();
}

/**
 * Claims the creation of a draft's target for this process, until `until`, unless another process has claimed it.
 * Returns the key of the attempt: `key`, or that of an earlier attempt whose outcome is unknown. Null if it is claimed,
 * already has a target, or is gone.
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

/** Ends the attempt. `made`: the key is used up too, because what was created is recorded, or certainly nothing was. */
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
