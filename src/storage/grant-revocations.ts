import type { Selectable } from 'kysely';
import type { DestinationType } from '../vocabulary/destination-kinds.ts';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { Db } from './database.ts';
import type { GrantRevocationsTable } from './destination-tables.ts';
import type { DestinationRow } from './destinations.ts';
import { owned } from './owned-rows.ts';

export type GrantRevocationRow = Selectable<GrantRevocationsTable>;

export async function insertGrantRevocation(db: Db, row: GrantRevocationRow): Promise<void> {
  await db.insertInto('grant_revocations').values(row).execute();
}

export async function countGrantRevocations(db: Db, owner: OwnerId): Promise<number> {
  const { count } = await db
    .selectFrom('grant_revocations')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_record', '=', owner)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Those that are due, in the order in which they became due. */
export async function dueGrantRevocations(
  db: Db,
  owner: OwnerId,
  now: Date,
  limit: number,
): Promise<GrantRevocationRow[]> {
  return db
    .selectFrom('grant_revocations')
    .selectAll()
    .where('account_record', '=', owner)
    .where('attempt_at', '<=', now)
    .orderBy('attempt_at')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** When the next is due; null if none is left. */
export async function nextGrantRevocation(db: Db, owner: OwnerId): Promise<Date | null> {
  const row = await db
    .selectFrom('grant_revocations')
    .select('attempt_at')
    .where('account_record', '=', owner)
    .orderBy('attempt_at')
    .limit(1)
    .executeTakeFirst();
  return row?.attempt_at ?? null;
}

export async function postponeGrantRevocation(
  db: Db,
  owner: OwnerId,
  id: string,
  until: Date,
): Promise<void> {
  await owned(db.updateTable('grant_revocations').set({ attempt_at: until }), owner, id).execute();
}

export async function deleteGrantRevocation(db: Db, owner: OwnerId, id: string): Promise<void> {
  await owned(db.deleteFrom('grant_revocations'), owner, id).execute();
}

/**
 * Destinations of the type with a grant, of every owner, in the order of ids after `after`: a vendor that ends all
 * grants of a person at once ends them for all account records.
 */
export async function grantedDestinations(
  db: Db,
  type: DestinationType,
  after: RowId<'destination'> | null,
  limit: number,
): Promise<DestinationRow[]> {
  return db
    .selectFrom('destinations')
    .selectAll()
    .where('type', '=', type)
    .where('grant', 'is not', null)
    .$if(after !== null, (query) => query.where('id', '>', after))
    .orderBy('id')
    .limit(limit)
    .execute();
}
