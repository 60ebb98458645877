import { type Selectable, sql, type Updateable } from 'kysely';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { Page, PageRequest } from '../vocabulary/paging.ts';
import type { ProviderIdentifier } from '../vocabulary/provider-kinds.ts';
import { type ConnectionStatus, EXPIRING_DAYS } from '../vocabulary/states.ts';
import type { Db, Trx } from './database.ts';
import { jsonColumn } from './json-column.ts';
import type { ConnectionsTable } from './linking-tables.ts';
import { ownedRow, ownedRows } from './owned-rows.ts';
import { selectPage } from './pages.ts';

export type Connection = Selectable<ConnectionsTable>;
export type ConnectionChange = Omit<Updateable<ConnectionsTable>, 'id' | 'account_record' | 'created'>;

export interface ConnectionFilter {
  /** Empty means every status except `revoked`, which is listed only on request. */
  readonly statuses: readonly ConnectionStatus[];
  readonly provider: ProviderIdentifier | null;
}

const DAY_MS = 86_400_000;

export async function insertConnection(db: Db, connection: Connection): Promise<void> {
  await db
    .insertInto('connections')
    .values({
      ...connection,
      metadata: jsonColumn(connection.metadata),
    })
    .execute();
}

export async function findConnection(
  db: Db,
  owner: OwnerId,
  id: RowId<'connection'>,
): Promise<Connection | null> {
  return ownedRow(db.selectFrom('connections').selectAll(), owner, id);
}

/** Several at once, only the owner's, in no particular order. */
export async function findConnections(
  db: Db,
  owner: OwnerId,
  ids: readonly RowId<'connection'>[],
): Promise<Connection[]> {
  return ownedRows(db.selectFrom('connections').selectAll(), owner, ids);
}

/** Whose connection it is, for jobs and provider notifications, which contain only its id. */
export async function findConnectionOwner(db: Db, id: RowId<'connection'>): Promise<OwnerId | null> {
  const row = await db
    .selectFrom('connections')
    .select('account_record')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.account_record ?? null;
}

/** The connection, locked until the transaction ends. */
export async function lockConnection(
  trx: Trx,
  owner: OwnerId,
  id: RowId<'connection'>,
): Promise<Connection | null> {
  return ownedRow(trx.selectFrom('connections').selectAll().forUpdate(), owner, id);
}

export async function updateConnection(
  db: Db,
  owner: OwnerId,
  id: RowId<'connection'>,
  change: ConnectionChange,
): Promise<Connection | null> {
  return ownedRow(db.updateTable('connections').set(change).returningAll(), owner, id);
}

/** Settles the choice of those banks on every connection of the end user, because that person has linked them now. */
export async function settleChosenInstitutions(
  trx: Trx,
  owner: OwnerId,
  endUser: string,
  institutions: readonly string[],
): Promise<void> {
  await trx
    .updateTable('connections')
    .set({ chosen_institution_id: null, chosen_institution_name: null })
    .where('account_record', '=', owner)
    .where('end_user', '=', endUser)
    .where('chosen_institution_id', 'in', institutions)
    .execute();
}

/**
 * Connections of any owner whose accounts are due to be listed, each postponed to `next` in the same statement: only
 * one of several processes gets it, and one whose listing fails is due again then.
 */
export async function claimConnectionsToRefresh(
  db: Db,
  now: Date,
  next: Date,
  limit: number,
): Promise<Pick<Connection, 'id' | 'account_record'>[]> {
  return db
    .updateTable('connections')
    .set({ refresh_at: next })
    .where((eb) => {
      const due = eb
        .selectFrom('connections')
        .select('id')
        .where('refresh_at', '<=', now)
        .where('revoked_at', 'is', null)
        // The vendor reports when a broken login works again; a refused grant stays refused until it is renewed.
        .where((row) => row.or([row('invalidated_at', 'is', null), row('login_lost_at', 'is not', null)]))
        .orderBy('refresh_at')
        .limit(limit)
        .forUpdate()
        .skipLocked();
      // An array is computed once; with `in`, the planner may run the subquery again for each row and find others that
      // are due.
      return sql<boolean>`id = any(array(${due}))`;
    })
    .returning(['id', 'account_record'])
    .execute();
}

/** Removes what is left of connections that were cleaned up before the given time. */
export async function deleteConnectionsCleanedBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('connections').where('cleaned_at', '<', before).execute();
}

/** Connections that count against the plan: all that are not revoked. */
export async function countConnections(db: Db, owner: OwnerId): Promise<number> {
  const row = await db
    .selectFrom('connections')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('account_record', '=', owner)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** The owner's connection at the provider that is not revoked, the oldest if there are several; null if there is none. */
export async function findConnectionAt(
  db: Db,
  owner: OwnerId,
  provider: ProviderIdentifier,
): Promise<Connection | null> {
  const row = await db
    .selectFrom('connections')
    .selectAll()
    .where('account_record', '=', owner)
    .where('provider', '=', provider)
    .where('revoked_at', 'is', null)
    .orderBy('id')
    .executeTakeFirst();
  return row ?? null;
}

/** Every connection of the owner that may have cached data: all that are not revoked. */
export async function connectionIdsOf(db: Db, owner: OwnerId): Promise<RowId<'connection'>[]> {
  const rows = await db
    .selectFrom('connections')
    .select('id')
    .where('account_record', '=', owner)
    .where('revoked_at', 'is', null)
    .execute();
  return rows.map(({ id }) => id);
}

/** Newest first. `now` decides the computed statuses of the filter. */
export async function listConnections(
  db: Db,
  owner: OwnerId,
  filter: ConnectionFilter,
  page: PageRequest,
  now: Date,
): Promise<Page<Connection>> {
  let query = db.selectFrom('connections').selectAll().where('account_record', '=', owner);
  if (filter.provider !== null) query = query.where('provider', '=', filter.provider);
  query =
    filter.statuses.length > 0
      ? query.where(statusExpression(now), 'in', filter.statuses)
      : query.where('revoked_at', 'is', null);
  return selectPage(query, page);
}

/** The same decision as `connectionStatus` in features/linking/connection-status.ts; a test compares the two. */
function statusExpression(now: Date) {
  const soon = new Date(now.getTime() + EXPIRING_DAYS * DAY_MS);
  const end = sql<Date | null>`(
    select consents.expires_at from consents where consents.connection = connections.id and consents.current
  )`;
  return sql<ConnectionStatus>`case
    when connections.revoked_at is not null then 'revoked'
    when connections.invalidated_at is not null and connections.invalidated_at < coalesce(${end}, 'infinity') then 'invalidated'
    when ${end} <= ${now} then 'expired'
    when connections.landed_at is null then 'pending'
    when ${end} <= ${soon} then 'expiring'
    else 'active' end`;
}
