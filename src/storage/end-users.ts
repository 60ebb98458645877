import { type Selectable, sql } from 'kysely';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { ProviderIdentifier } from '../vocabulary/provider-kinds.ts';
import type { Db, Trx } from './database.ts';
import type { EndUsersTable } from './linking-tables.ts';
import { owned, ownedRow } from './owned-rows.ts';

export type EndUser = Selectable<EndUsersTable>;

/** A row for a customer that has not been requested from the vendor yet. */
export function newEndUser(of: {
  readonly id: string;
  readonly owner: OwnerId;
  readonly provider: ProviderIdentifier;
  readonly now: Date;
}): EndUser {
  return {
    id: of.id,
    account_record: of.owner,
    provider: of.provider,
    connection: null,
    customer: null,
    customer_hash: null,
    asked_at: null,
    renewing_until: null,
    pages_until: null,
    released_at: null,
    delete_at: null,
    created: of.now,
  };
}

export async function insertEndUser(db: Db, row: EndUser): Promise<void> {
  await db.insertInto('end_users').values(row).execute();
}

export async function findEndUser(db: Db, owner: OwnerId, id: string): Promise<EndUser | null> {
  return ownedRow(db.selectFrom('end_users').selectAll(), owner, id);
}

export async function updateEndUser(
  db: Db,
  owner: OwnerId,
  id: string,
  change: Partial<Pick<EndUser, 'customer' | 'customer_hash' | 'asked_at' | 'renewing_until' | 'delete_at'>>,
): Promise<void> {
  await owned(db.updateTable('end_users').set(change), owner, id).execute();
}

/** Records that a page of the vendor may be open until then; a later time already stored is kept. */
export async function extendPages(db: Db, owner: OwnerId, id: string, until: Date): Promise<void> {
  await owned(db.updateTable('end_users').set({ pages_until: until }), owner, id)
    .where((eb) => eb.or([eb('pages_until', 'is', null), eb('pages_until', '<', until)]))
    .execute();
}

/** The customers of the connections, by connection; one of statement files has none. */
export async function endUsersOfConnections(
  db: Db,
  owner: OwnerId,
  connections: readonly RowId<'connection'>[],
): Promise<Map<RowId<'connection'>, EndUser>> {
  if (connections.length === 0) return new Map();
  const rows = await db
    .selectFrom('connections')
    .innerJoin('end_users', 'end_users.id', 'connections.end_user')
    .selectAll('end_users')
    .select('connections.id as of_connection')
    .where('connections.account_record', '=', owner)
    .where('end_users.account_record', '=', owner)
    .where('connections.id', 'in', connections)
    .execute();
  return new Map(rows.map(({ of_connection, ...row }) => [of_connection, row]));
}

/** The customer that an earlier sign-in identified, locked until the transaction ends; null if it is new. */
export async function lockEndUserOfCustomer(
  trx: Trx,
  owner: OwnerId,
  provider: ProviderIdentifier,
  hash: Buffer,
): Promise<EndUser | null> {
  const row = await trx
    .selectFrom('end_users')
    .selectAll()
    .where('account_record', '=', owner)
    .where('provider', '=', provider)
    .where('customer_hash', '=', hash)
    .where('released_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** Claims the renewal of the secret for this process, until `until`, unless another process has claimed it. */
export async function claimRenewal(
  db: Db,
  owner: OwnerId,
  id: string,
  now: Date,
  until: Date,
): Promise<EndUser | null> {
  const row = await owned(db.updateTable('end_users').set({ renewing_until: until }), owner, id)
    .where((eb) => eb.or([eb('renewing_until', 'is', null), eb('renewing_until', '<=', now)]))
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Replaces the customer whose secret was renewed, and ends the claim. False if the stored one has changed: a person
 * signed in, it was resealed, or it is gone.
 */
export async function replaceCustomer(
  db: Db,
  owner: OwnerId,
  id: string,
  sealed: { readonly old: Uint8Array; readonly new: Uint8Array },
): Promise<boolean> {
  const row = await db
    .updateTable('end_users')
    .set({ customer: sealed.new, renewing_until: null })
    .where('account_record', '=', owner)
    .where('id', '=', id)
    .where('customer', '=', sealed.old)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Releases the claim that ends at `until`, if nothing was renewed. */
export async function freeRenewal(db: Db, owner: OwnerId, id: string, until: Date): Promise<void> {
  await owned(db.updateTable('end_users').set({ renewing_until: null }), owner, id)
    .where('renewing_until', '=', until)
    .execute();
}

/**
 * Assigns an end user to the connections linked with it, of which this is one. False if it was released: it may be
 * gone.
 */
export async function handOverEndUser(
  trx: Trx,
  owner: OwnerId,
  id: string,
  connection: RowId<'connection'>,
): Promise<boolean> {
  const row = await trx
    .updateTable('end_users')
    .set({ connection: sql<RowId<'connection'>>`coalesce(connection, ${connection})` })
    .where('account_record', '=', owner)
    .where('id', '=', id)
    .where('released_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Schedules deletion at the vendor of the end user of a session without a connection: not before `busyUntil`, since
 * until then a process may still be creating it there.
 */
export async function releaseEndUser(
  trx: Trx,
  owner: OwnerId,
  id: string,
  now: Date,
  busyUntil: Date | null,
): Promise<void> {
  const deleteAt = busyUntil !== null && busyUntil > now ? busyUntil : now;
  await owned(trx.updateTable('end_users').set({ released_at: now, delete_at: deleteAt }), owner, id)
    .where('connection', 'is', null)
    .where('released_at', 'is', null)
    .execute();
}

/** Schedules deletion at the vendor of a connection's end user; null if it has none, or others need it. */
export async function releaseEndUserOf(
  trx: Trx,
  owner: OwnerId,
  connection: RowId<'connection'>,
  now: Date,
): Promise<EndUser | null> {
  const found = (await endUsersOfConnections(trx, owner, [connection])).get(connection);
  return found === undefined ? null : releaseIdleEndUser(trx, owner, found.id, now);
}

/**
 * Schedules deletion of an end user at the vendor; null if a connection that is not cleaned up or a consent that is not
 * withdrawn needs it.
 */
export async function releaseIdleEndUser(
  trx: Trx,
  owner: OwnerId,
  id: string,
  now: Date,
): Promise<EndUser | null> {
  // Locked, so that if the last two connections end at once, the second sees the first.
  const held = await owned(trx.selectFrom('end_users').select('id'), owner, id)
    .forUpdate()
    .executeTakeFirst();
  if (held === undefined) return null;
  const needed = await trx
    .selectFrom('connections')
    .select('id')
    .where('account_record', '=', owner)
    .where('cleaned_at', 'is', null)
    .where('end_user', '=', id)
    .limit(1)
    .executeTakeFirst();
  if (needed !== undefined) return null;
  const given = await trx
    .selectFrom('consents')
    .select('id')
    .where('account_record', '=', owner)
    .where('end_user', '=', id)
    .where('grant', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  if (given !== undefined) return null;
  return ownedRow(
    trx.updateTable('end_users').set({ released_at: now, delete_at: now }).returningAll(),
    owner,
    id,
  );
}

/**
 * End users of any owner that are due to be deleted, the longest overdue first, at most `each` of one account record.
 */
export async function endUsersToDelete(db: Db, now: Date, each: number, limit: number): Promise<EndUser[]> {
  const due = db
    .selectFrom('end_users')
    .selectAll()
    .select(
      sql<number>`row_number() over (partition by account_record order by delete_at)`.as('place_of_owner'),
    )
    .where('delete_at', '<=', now);
  return db
    .selectFrom(due.as('due'))
    .select([
      'id',
      'account_record',
      'provider',
      'connection',
      'customer',
      'customer_hash',
      'asked_at',
      'renewing_until',
      'pages_until',
      'released_at',
      'delete_at',
      'created',
    ])
    .where('place_of_owner', '<=', each)
    .orderBy('delete_at')
    .limit(limit)
    .execute();
}

export async function deleteEndUser(db: Db, owner: OwnerId, id: string): Promise<void> {
  await owned(db.deleteFrom('end_users'), owner, id).execute();
}

/** Deletes those of deleted account records for which the vendor has confirmed nothing since `before`. */
export async function deleteOrphanedEndUsers(db: Db, before: Date): Promise<void> {
  await db
    .deleteFrom('end_users')
    .where('released_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('account_records')
            .select('id')
            .whereRef('account_records.id', '=', 'end_users.account_record'),
        ),
      ),
    )
    .execute();
}
