import { type Selectable, sql } from 'kysely';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { ProviderIdentifier } from '../vocabulary/provider-kinds.ts';
import type { Db, Trx } from './database.ts';
import type { EndUsersTable } from './linking-tables.ts';
import { owned, ownedRow } from './owned-rows.ts';

export type EndUser = Selectable<EndUsersTable>;

/** A row for a customer that nobody has asked the vendor for yet. */
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

/** Records that a page of the vendor may be open until then; one that may be open for longer counts. */
export async function extendPages(db: Db, owner: OwnerId, id: string, until: Date): Promise<void> {
  await owned(db.updateTable('end_users').set({ pages_until: until }), owner, id)
    .where((eb) => eb.or([eb('pages_until', 'is', null), eb('pages_until', '<', until)]))
    .execute();
}

/** The customers of the connections, by connection; those that versions before 0011 made have none of their own. */
export async function endUsersOfConnections(
  db: Db,
  owner: OwnerId,
  connections: readonly RowId<'connection'>[],
): Promise<Map<RowId<'connection'>, EndUser>> {
  if (connections.length === 0) return new Map();
  const rows = await db
    .selectFrom('connections')
    .innerJoin('end_users', (join) =>
      join.on((on) =>
        on.or([
          on('end_users.id', '=', on.ref('connections.end_user')),
          // Linked by an earlier version that runs beside this one.
          on.and([
            on('connections.end_user', 'is', null),
            on('end_users.connection', '=', on.ref('connections.id')),
          ]),
        ]),
      ),
    )
    .selectAll('end_users')
    .select('connections.id as of_connection')
    .where('connections.account_record', '=', owner)
    .where('end_users.account_record', '=', owner)
    .where('connections.id', 'in', connections)
    .execute();
  return new Map(rows.map(({ of_connection, ...row }) => [of_connection, row]));
}

/** The customer that signing in has named before, held until the transaction ends; null where it is new. */
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

/** Makes this process the one that has the secret renewed, until `until`, unless another does so. */
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
 * Puts a customer in the place of the one whose secret was renewed, and ends the claim. False when that one is not there
 * any more: somebody signed in meanwhile, it was re-sealed, or it is gone.
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

/** Gives up the claim that ends at `until`, where nothing was renewed. */
export async function freeRenewal(db: Db, owner: OwnerId, id: string, until: Date): Promise<void> {
  await owned(db.updateTable('end_users').set({ renewing_until: null }), owner, id)
    .where('renewing_until', '=', until)
    .execute();
}

/** Gives an end user to the connections it brought, of which this is one. False once it was released: it may be gone. */
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
 * Has the end user of a session without a connection deleted at the vendor: not before `busyUntil`, up to which a process
 * may be having it made there, or it would be made after its deletion.
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

/** Has the end user of a connection deleted at the vendor; null where it has none of its own, or others need it. */
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
 * Has an end user deleted at the vendor, unless a connection that is not cleaned up or a consent that is not withdrawn
 * needs it: then null.
 */
export async function releaseIdleEndUser(
  trx: Trx,
  owner: OwnerId,
  id: string,
  now: Date,
): Promise<EndUser | null> {
  // Held, so that of two last connections that end at once the second sees the first.
  const held = await owned(trx.selectFrom('end_users').select('connection'), owner, id)
    .forUpdate()
    .executeTakeFirst();
  if (held === undefined) return null;
  const needed = await trx
    .selectFrom('connections')
    .select('id')
    .where('account_record', '=', owner)
    .where('cleaned_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb('end_user', '=', id),
        ...(held.connection === null
          ? []
          : [eb.and([eb('end_user', 'is', null), eb('id', '=', held.connection)])]),
      ]),
    )
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

/** End users of anybody to be deleted by now, those that wait longest first, at most `each` of one account record. */
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

/** Deletes those of account records that are no more, where the vendor has not confirmed anything since `before`. */
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
