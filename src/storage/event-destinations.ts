import type { Selectable } from 'kysely';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { Page, PageRequest } from '../vocabulary/paging.ts';
import type { EVENT_DESTINATION_MOVES, StatusMove } from '../vocabulary/states.ts';
import type { Db, Trx } from './database.ts';
import type { EventDestinationsTable } from './event-tables.ts';
import { jsonColumn } from './json-column.ts';
import { owned, ownedRow } from './owned-rows.ts';
import { selectPage } from './pages.ts';

type Id = RowId<'event_destination'>;
export type EventDestinationRow = Selectable<EventDestinationsTable>;
export type EventDestinationChange = Partial<
  Omit<
    EventDestinationRow,
    'id' | 'account_record' | 'status' | 'fence' | 'lease_until' | 'metadata' | 'created'
  >
> & {
  readonly metadata?: EventDestinationRow['metadata'];
  readonly moved?: StatusMove<(typeof EVENT_DESTINATION_MOVES)[number]>;
};

export async function insertEventDestination(trx: Trx, row: EventDestinationRow): Promise<void> {
  await trx
    .insertInto('event_destinations')
    .values({ ...row, metadata: jsonColumn(row.metadata) })
    .execute();
}

export async function findEventDestination(
  db: Db,
  owner: OwnerId,
  id: Id,
): Promise<EventDestinationRow | null> {
  return ownedRow(db.selectFrom('event_destinations').selectAll(), owner, id);
}

/** The row, locked until the transaction ends. */
export async function lockEventDestination(
  trx: Trx,
  owner: OwnerId,
  id: Id,
): Promise<EventDestinationRow | null> {
  return ownedRow(trx.selectFrom('event_destinations').selectAll().forUpdate(), owner, id);
}

export async function listEventDestinations(
  db: Db,
  owner: OwnerId,
  page: PageRequest,
): Promise<Page<EventDestinationRow>> {
  return selectPage(
    db.selectFrom('event_destinations').selectAll().where('account_record', '=', owner),
    page,
  );
}

export async function countEventDestinations(db: Db, owner: OwnerId): Promise<number> {
  const { count } = await db
    .selectFrom('event_destinations')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('account_record', '=', owner)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * What the owner's enabled event destinations subscribe to. They cannot be deleted before the transaction ends.
 *
 * @param hold `change`: until then they cannot be changed either, nor deliveries to them recorded
 */
export async function holdSubscriptions(
  trx: Trx,
  owner: OwnerId,
  hold: 'presence' | 'change',
): Promise<readonly Pick<EventDestinationRow, 'id' | 'enabled_events'>[]> {
  const query = trx
    .selectFrom('event_destinations')
    .select(['id', 'enabled_events'])
    .where('account_record', '=', owner)
    .where('status', '=', 'enabled')
    // The order in which workers lock them.
    .orderBy('id');
  return (hold === 'presence' ? query.forKeyShare() : query.forNoKeyUpdate()).execute();
}

export async function updateEventDestination(
  db: Db,
  owner: OwnerId,
  id: Id,
  { metadata, moved, ...change }: EventDestinationChange,
): Promise<EventDestinationRow | null> {
  const changed = db
    .updateTable('event_destinations')
    .set({ ...change, status: moved?.to, metadata: jsonColumn(metadata) });
  return ownedRow(changed.returningAll(), owner, id);
}

/** Deletes it with its deliveries. False if there is none. */
export async function deleteEventDestination(db: Db, owner: OwnerId, id: Id): Promise<boolean> {
  const { numDeletedRows } = await owned(db.deleteFrom('event_destinations'), owner, id).executeTakeFirst();
  return numDeletedRows > 0n;
}
