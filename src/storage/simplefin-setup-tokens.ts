import type { Selectable } from 'kysely';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { Page, PageRequest } from '../vocabulary/paging.ts';
import type { SimplefinSetupTokensTable } from './app-tables.ts';
import type { Db } from './database.ts';
import { ownedRow, revokedAt } from './owned-rows.ts';
import { selectPage } from './pages.ts';

export type SimplefinSetupToken = Selectable<SimplefinSetupTokensTable>;
export async function insertSetupToken(db: Db, token: SimplefinSetupToken): Promise<void> {
  await db.insertInto('simplefin_setup_tokens').values(token).execute();
}

/** The token with this SHA-256, of any owner and in any state. */
export async function findSetupTokenByHash(db: Db, hash: Uint8Array): Promise<SimplefinSetupToken | null> {
  const query = db.selectFrom('simplefin_setup_tokens').selectAll().where('token_hash', '=', hash);
  return (await query.executeTakeFirst()) ?? null;
}

export async function findSetupToken(
  db: Db,
  owner: OwnerId,
  id: RowId<'simplefin_setup_token'>,
): Promise<SimplefinSetupToken | null> {
  return ownedRow(db.selectFrom('simplefin_setup_tokens').selectAll(), owner, id);
}

export async function listSetupTokens(
  db: Db,
  owner: OwnerId,
  request: PageRequest,
): Promise<Page<SimplefinSetupToken>> {
  return selectPage(
    db.selectFrom('simplefin_setup_tokens').selectAll().where('account_record', '=', owner),
    request,
  );
}

/** How many tokens of the owner can still be claimed at `now`. */
export async function countOpenSetupTokens(db: Db, owner: OwnerId, now: Date): Promise<number> {
  const row = await db
    .selectFrom('simplefin_setup_tokens')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_record', '=', owner)
    .where('claimed_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Marks the token as revoked; one already revoked keeps its time. Null if the owner has no such token. */
export async function revokeSetupToken(
  db: Db,
  owner: OwnerId,
  id: RowId<'simplefin_setup_token'>,
  now: Date,
): Promise<SimplefinSetupToken | null> {
  return ownedRow(db.updateTable('simplefin_setup_tokens').set(revokedAt(now)).returningAll(), owner, id);
}
