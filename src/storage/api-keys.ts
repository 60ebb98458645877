import { type Selectable, sql } from 'kysely';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { Metadata } from '../vocabulary/metadata.ts';
import type { Page, PageRequest } from '../vocabulary/paging.ts';
import type { Db } from './database.ts';
import type { ApiKeysTable } from './identity-tables.ts';
import { jsonColumn } from './json-column.ts';
import { ownedRow, revokedAt } from './owned-rows.ts';
import { selectPage } from './pages.ts';

export type ApiKey = Selectable<ApiKeysTable>;
/** A key as callers remember it. Its hash would keep what else was read from the database with it in memory. */
export type KnownApiKey = Omit<ApiKey, 'secret_hash'>;

export async function insertApiKey(db: Db, key: ApiKey): Promise<void> {
  await db
    .insertInto('api_keys')
    .values({ ...key, metadata: jsonColumn(key.metadata) })
    .execute();
}

/** The key whose secret has this SHA-256, of any owner: used to authenticate callers. */
export async function findApiKeyByHash(db: Db, hash: Uint8Array): Promise<KnownApiKey | null> {
  const row = await db.selectFrom('api_keys').selectAll().where('secret_hash', '=', hash).executeTakeFirst();
  if (row === undefined) return null;
  const { secret_hash: _, ...key } = row;
  return key;
}

export async function findApiKey(db: Db, owner: OwnerId, id: RowId<'api_key'>): Promise<ApiKey | null> {
  return ownedRow(db.selectFrom('api_keys').selectAll(), owner, id);
}

export async function listApiKeys(db: Db, owner: OwnerId, request: PageRequest): Promise<Page<ApiKey>> {
  return selectPage(db.selectFrom('api_keys').selectAll().where('account_record', '=', owner), request);
}

/** How many keys are valid at `now`. */
export async function countActiveApiKeys(db: Db, owner: OwnerId, now: Date): Promise<number> {
  const row = await db
    .selectFrom('api_keys')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_record', '=', owner)
    .where('revoked_at', 'is', null)
    .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .where(({ eb, or }) => or([eb('expiring_at', 'is', null), eb('expiring_at', '>', now)]))
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

export interface ApiKeyChange {
  readonly name?: string;
  readonly metadata?: Metadata;
}

export async function updateApiKey(
  db: Db,
  owner: OwnerId,
  id: RowId<'api_key'>,
  change: ApiKeyChange,
  now: Date,
): Promise<ApiKey | null> {
  const { metadata, ...rest } = change;
  const changed = db.updateTable('api_keys').set({ ...rest, metadata: jsonColumn(metadata), updated: now });
  return ownedRow(changed.returningAll(), owner, id);
}

/** Marks the key as revoked; one already revoked keeps its time. Null if the owner has no such key. */
export async function revokeApiKey(
  db: Db,
  owner: OwnerId,
  id: RowId<'api_key'>,
  now: Date,
): Promise<ApiKey | null> {
  return ownedRow(db.updateTable('api_keys').set(revokedAt(now)).returningAll(), owner, id);
}

/** Makes the key expire at `end`. Null if the owner has no such key. */
export async function endApiKey(
  db: Db,
  owner: OwnerId,
  id: RowId<'api_key'>,
  end: Date,
  now: Date,
): Promise<ApiKey | null> {
  return ownedRow(
    db.updateTable('api_keys').set({ expiring_at: end, updated: now }).returningAll(),
    owner,
    id,
  );
}

/** Records when keys were last used; a later time that is already stored is kept. */
export async function touchApiKeys(db: Db, used: ReadonlyMap<RowId<'api_key'>, Date>): Promise<void> {
  for (const [id, at] of used) {
    await db
      .updateTable('api_keys')
      .set({ last_used_at: at })
      .where('id', '=', id)
      .where(({ eb, or }) => or([eb('last_used_at', 'is', null), eb('last_used_at', '<', at)]))
      .execute();
  }
}

/** Whether one key is the replacement of the other, through one rotation or several. */
export async function tookOver(
  db: Db,
  owner: OwnerId,
  key: RowId<'api_key'>,
  from: RowId<'api_key'>,
): Promise<boolean> {
  const { rows } = await sql`
    with recursive earlier as (
      select rotated_from from api_keys where id = ${key} and account_record = ${owner}
      union
      select api_keys.rotated_from from api_keys join earlier on api_keys.id = earlier.rotated_from
      where api_keys.account_record = ${owner}
    )
    select 1 from earlier where rotated_from = ${from}`.execute(db);
  return rows.length > 0;
}
