import { type Selectable, sql } from 'kysely';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { Db } from './database.ts';
import type { InvitationsTable } from './identity-tables.ts';
import { owned } from './owned-rows.ts';

export type Invitation = Selectable<InvitationsTable>;
export async function insertInvitation(db: Db, invitation: Invitation): Promise<void> {
  await db.insertInto('invitations').values(invitation).execute();
}

/** The invitation whose secret has this SHA-256, of any account record and in any state. */
export async function findInvitationByHash(db: Db, hash: Uint8Array): Promise<Invitation | null> {
  const query = db.selectFrom('invitations').selectAll().where('token_hash', '=', hash);
  return (await query.executeTakeFirst()) ?? null;
}

/** Those that can still be accepted at `now`, newest first: as many as `open_invitations` allows. */
export async function openInvitationsOf(db: Db, owner: OwnerId, now: Date): Promise<Invitation[]> {
  return db
    .selectFrom('invitations')
    .selectAll()
    .where('account_record', '=', owner)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('id', 'desc')
    .execute();
}

/** Marks the invitation as accepted; null if it is no longer open, so that only one of several attempts succeeds. */
export async function acceptInvitation(
  db: Db,
  hash: Uint8Array,
  user: RowId<'user'>,
  now: Date,
): Promise<Invitation | null> {
  const row = await db
    .updateTable('invitations')
    .set({ accepted_at: now, accepted_by: user, updated: now })
    .where('token_hash', '=', hash)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** Marks the invitation as revoked, unless it was accepted; null if the owner has no such open invitation. */
export async function revokeInvitation(
  db: Db,
  owner: OwnerId,
  id: RowId<'invitation'>,
  now: Date,
): Promise<Invitation | null> {
  const row = await owned(db.updateTable('invitations').set({ revoked_at: now, updated: now }), owner, id)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** Marks all open invitations of one person as revoked. */
export async function revokeInvitationsBy(
  db: Db,
  owner: OwnerId,
  user: RowId<'user'>,
  now: Date,
): Promise<void> {
  await db
    .updateTable('invitations')
    .set({ revoked_at: now, updated: now })
    .where('account_record', '=', owner)
    .where('invited_by', '=', user)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .execute();
}

/** @param email in its normalised form */
export async function deleteInvitationsTo(db: Db, owner: OwnerId, email: string): Promise<void> {
  await db
    .deleteFrom('invitations')
    .where('account_record', '=', owner)
    .where('email_normalised', '=', email)
    .execute();
}

/** Deletes those that can no longer be accepted, except the newest `kept`. */
export async function deleteSurplusInvitations(
  db: Db,
  owner: OwnerId,
  { now, kept }: { readonly now: Date; readonly kept: number },
): Promise<void> {
  await sql`
    delete from invitations where id in (
      select id from invitations
      where account_record = ${owner}
        and (accepted_at is not null or revoked_at is not null or expires_at <= ${now})
      order by id desc offset ${kept}
    )`.execute(db);
}

export async function deleteInvitationsBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('invitations').where('expires_at', '<', before).execute();
}
