import type { Selectable, Updateable } from 'kysely';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { Db, Trx } from './database.ts';
import { jsonColumn } from './json-column.ts';
import type { LinkSessionsTable } from './linking-tables.ts';
import { owned, ownedRow } from './owned-rows.ts';

export type LinkSession = Selectable<LinkSessionsTable>;
export type LinkSessionChange = Omit<Updateable<LinkSessionsTable>, 'id' | 'account_record' | 'created'>;

export async function insertLinkSession(db: Db, session: LinkSession): Promise<void> {
  await db
    .insertInto('link_sessions')
    .values({ ...session, metadata: jsonColumn(session.metadata) })
    .execute();
}

export async function findLinkSession(
  db: Db,
  owner: OwnerId,
  id: RowId<'link_session'>,
): Promise<LinkSession | null> {
  return ownedRow(db.selectFrom('link_sessions').selectAll(), owner, id);
}

/** Only for the hosted page, where an unguessable token identifies the person instead of an owner. */
export async function findLinkSessionOfToken(db: Db, id: RowId<'link_session'>): Promise<LinkSession | null> {
  const row = await db.selectFrom('link_sessions').selectAll().where('id', '=', id).executeTakeFirst();
  return row ?? null;
}

/**
 * The session, locked until the transaction ends: of two callbacks, the second waits and sees the result of the first.
 */
export async function lockLinkSession(
  trx: Trx,
  owner: OwnerId,
  id: RowId<'link_session'>,
): Promise<LinkSession | null> {
  return ownedRow(trx.selectFrom('link_sessions').selectAll().forUpdate(), owner, id);
}

export async function updateLinkSession(
  db: Db,
  owner: OwnerId,
  id: RowId<'link_session'>,
  change: LinkSessionChange,
): Promise<void> {
  await owned(db.updateTable('link_sessions').set(change), owner, id).execute();
}

/**
 * Claims the request for the vendor's page for this process, until `times.until`: unless another process has claimed
 * it, or a page is open beyond `times.spentBy`, or a callback is in progress at `times.now`. Returns the updated
 * session.
 */
export async function claimOpening(
  db: Db,
  owner: OwnerId,
  id: RowId<'link_session'>,
  times: { readonly now: Date; readonly spentBy: Date; readonly until: Date },
): Promise<LinkSession | null> {
  const { now, spentBy, until } = times;
  const row = await owned(db.updateTable('link_sessions').set({ opening_until: until }), owner, id)
    .where('completed_at', 'is', null)
    .where('failed_at', 'is', null)
    .where((eb) => eb.or([eb('vendor_until', 'is', null), eb('vendor_until', '<=', spentBy)]))
    .where((eb) => eb.or([eb('opening_until', 'is', null), eb('opening_until', '<=', spentBy)]))
    // A new page would replace the end user whose consent that callback is looking up.
    .where((eb) => eb.or([eb('landing_until', 'is', null), eb('landing_until', '<=', now)]))
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** Claims the request to the vendor for this callback, unless another callback has. */
export async function claimSessionCallback(
  db: Db,
  owner: OwnerId,
  id: RowId<'link_session'>,
  now: Date,
  until: Date,
): Promise<boolean> {
  const row = await owned(db.updateTable('link_sessions').set({ landing_until: until }), owner, id)
    .where('completed_at', 'is', null)
    .where('failed_at', 'is', null)
    .where((eb) => eb.or([eb('landing_until', 'is', null), eb('landing_until', '<=', now)]))
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Makes Continue open a new page of the vendor, if `attempt` is still the last. */
export async function spendAttempt(
  db: Db,
  owner: OwnerId,
  id: RowId<'link_session'>,
  attempt: number,
): Promise<void> {
  await owned(db.updateTable('link_sessions').set({ vendor_until: null }), owner, id)
    .where('attempts', '=', attempt)
    .execute();
}

/**
 * Invalidates callbacks of `attempt`, because the one that came after the session had ended was redeemed. False if
 * another callback was first.
 */
export async function spendLateAttempt(
  db: Db,
  owner: OwnerId,
  id: RowId<'link_session'>,
  attempt: number,
): Promise<boolean> {
  const row = await owned(db.updateTable('link_sessions').set({ attempts: attempt + 1 }), owner, id)
    .where('attempts', '=', attempt)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Sessions of any owner that are due for a check, for the sweep; not those with a callback in progress. */
export async function linkSessionsToSweep(db: Db, now: Date, limit: number): Promise<LinkSession[]> {
  return db
    .selectFrom('link_sessions')
    .selectAll()
    .where('settle_at', '<=', now)
    .where((eb) => eb.or([eb('landing_until', 'is', null), eb('landing_until', '<=', now)]))
    .orderBy('settle_at')
    .limit(limit)
    .execute();
}

/** Removes sessions that ended before the given time and have nothing open at the vendor. */
export async function deleteLinkSessionsBefore(db: Db, before: Date): Promise<void> {
  await db
    .deleteFrom('link_sessions')
    .where('expires_at', '<', before)
    .where('settle_at', 'is', null)
    .execute();
}

/** How many of the owner's sessions can still be completed at `now`, and when the first of them expires. */
export async function openLinkSessions(
  db: Db,
  owner: OwnerId,
  now: Date,
): Promise<{ readonly count: number; readonly nextEnd: Date | null }> {
  const row = await db
    .selectFrom('link_sessions')
    .select(({ fn }) => [fn.countAll<string>().as('count'), fn.min('expires_at').as('next_end')])
    .where('account_record', '=', owner)
    .where('completed_at', 'is', null)
    .where('failed_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow();
  return { count: Number(row.count), nextEnd: row.next_end };
}
