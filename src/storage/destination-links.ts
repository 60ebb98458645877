import type { Selectable, Updateable } from 'kysely';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { Db, Trx } from './database.ts';
import type { DestinationLinksTable } from './destination-tables.ts';
import { owned, ownedRow } from './owned-rows.ts';

type Id = RowId<'destination_link'>;
export type DestinationLinkRow = Selectable<DestinationLinksTable>;
export type DestinationLinkChange = Omit<
  Updateable<DestinationLinksTable>,
  'id' | 'account_record' | 'type' | 'created'
>;

export async function insertDestinationLink(db: Db, row: DestinationLinkRow): Promise<void> {
  await db.insertInto('destination_links').values(row).execute();
}

export async function findDestinationLink(
  db: Db,
  owner: OwnerId,
  id: Id,
): Promise<DestinationLinkRow | null> {
  return ownedRow(db.selectFrom('destination_links').selectAll(), owner, id);
}

/** Only for the hosted page, where an unguessable token identifies the person instead of an owner. */
export async function findDestinationLinkOfToken(db: Db, id: Id): Promise<DestinationLinkRow | null> {
  const row = await db.selectFrom('destination_links').selectAll().where('id', '=', id).executeTakeFirst();
  return row ?? null;
}

/** The link, locked until the transaction ends: of two callbacks, the second waits and sees the result of the first. */
export async function lockDestinationLink(
  trx: Trx,
  owner: OwnerId,
  id: Id,
): Promise<DestinationLinkRow | null> {
  return ownedRow(trx.selectFrom('destination_links').selectAll().forUpdate(), owner, id);
}

export async function updateDestinationLink(
  db: Db,
  owner: OwnerId,
  id: Id,
  change: DestinationLinkChange,
): Promise<DestinationLinkRow | null> {
  return ownedRow(db.updateTable('destination_links').set(change).returningAll(), owner, id);
}

/** Claims the request to the vendor for this callback, unless another callback has. */
export async function claimCallback(
  db: Db,
  owner: OwnerId,
  id: Id,
  now: Date,
  until: Date,
): Promise<boolean> {
  const row = await owned(db.updateTable('destination_links').set({ landing_until: until }), owner, id)
    .where('completed_at', 'is', null)
    .where('failed_at', 'is', null)
    .where((eb) => eb.or([eb('landing_until', 'is', null), eb('landing_until', '<=', now)]))
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Removes links of any owner that ended before the given time. */
export async function deleteDestinationLinksBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('destination_links').where('expires_at', '<', before).execute();
}
