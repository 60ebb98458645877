import type { Selectable } from 'kysely';
import type { EventKind } from '../vocabulary/event-kinds.ts';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { Page, PageRequest } from '../vocabulary/paging.ts';
import type { Db, Trx } from './database.ts';
import { deleteEmptyBatches } from './event-batches.ts';
import type { EventsTable } from './event-tables.ts';
import { ownedRow } from './owned-rows.ts';
import { selectPage } from './pages.ts';

export type EventRow = Selectable<EventsTable>;

/** An event without a position. */
export async function insertEvent(trx: Trx, event: Omit<EventRow, 'position'>): Promise<void> {
  await trx
    .insertInto('events')
    .values({ ...event, position: null })
    .execute();
}

export async function findEvent(db: Db, owner: OwnerId, id: RowId<'event'>): Promise<EventRow | null> {
  return ownedRow(db.selectFrom('events').selectAll(), owner, id);
}

/** The row, locked until the transaction ends: it is neither deleted nor fanned out before. */
export async function lockEvent(trx: Trx, owner: OwnerId, id: RowId<'event'>): Promise<EventRow | null> {
  return ownedRow(trx.selectFrom('events').selectAll().forNoKeyUpdate(), owner, id);
}

/** @param kinds only of these kinds; null for all */
export async function listEvents(
  db: Db,
  owner: OwnerId,
  kinds: readonly EventKind[] | null,
  page: PageRequest,
): Promise<Page<EventRow>> {
  let query = db.selectFrom('events').selectAll().where('account_record', '=', owner);
  if (kinds !== null) query = query.where('kind', 'in', kinds);
  return selectPage(query, page);
}

/** The events after a position, in order. */
export async function eventsBehind(
  db: Db,
  owner: OwnerId,
  position: number,
  limit: number,
): Promise<readonly EventRow[]> {
  return db
    .selectFrom('events')
    .selectAll()
    .where('account_record', '=', owner)
    .where('position', '>', position)
    .orderBy('position')
    .limit(limit)
    .execute();
}

/** Deletes the oldest events created before a time, with their deliveries. Returns how many. */
export async function deleteEventsBefore(db: Db, before: Date, limit: number): Promise<number> {
  const oldest = db
    .selectFrom('events')
    .select('id')
    .where('created', '<', before)
    .orderBy('created')
    .limit(limit);
  const deleted = await db
    .deleteFrom('events')
    .where('id', 'in', oldest)
    .returning(['account_record', 'position'])
    .execute();
  const latest = new Map<OwnerId, number>();
  for (const { account_record: owner, position } of deleted)
    latest.set(owner, Math.max(latest.get(owner) ?? 0, position ?? 0));
  // Not in one transaction: a worker that records a batch may wait for an event of it. What a process that ends here
  // leaves is deleted after the owner's next event.
  await deleteEmptyBatches(db, latest);
  return deleted.length;
}
