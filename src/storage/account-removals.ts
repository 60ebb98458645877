import { sql } from 'kysely';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import { EVENT_DESTINATION_MOVES, moveBy } from '../vocabulary/states.ts';
import type { Db, Trx } from './database.ts';

/** Rows deleted in one statement, during which all others wait for the embedded database. */
const BATCH_ROWS = 2_000;

/** When deletion of the account record began; null if it did not, or if the record is gone. */
export async function removalAskedAt(db: Db, owner: OwnerId): Promise<Date | null> {
  const row = await db
    .selectFrom('account_records')
    .select('removal_asked_at')
    .where('id', '=', owner)
    .executeTakeFirst();
  return row?.removal_asked_at ?? null;
}

/** Account records whose deletion was requested and is not complete. */
export async function accountRecordsBeingRemoved(db: Db): Promise<OwnerId[]> {
  const rows = await db
    .selectFrom('account_records')
    .select('id')
    .where('removal_asked_at', 'is not', null)
    .orderBy('removal_asked_at')
    .execute();
  return rows.map(({ id }) => id);
}

/** Records the request, and removes everything that gives access to the account record or lets a person join it. */
export async function closeAccountRecord(trx: Trx, owner: OwnerId, now: Date): Promise<void> {
  await trx
    .updateTable('account_records')
    .set({ removal_asked_at: now, updated: now })
    .where('id', '=', owner)
    .execute();
  const people = await holdMembers(trx, owner);
  for (const table of OPENING) await trx.deleteFrom(table).where('account_record', '=', owner).execute();
  await deleteLonePeople(trx, people);
  // The files are financial data, and nothing at a vendor waits for them.
  await trx.deleteFrom('documents').where('account_record', '=', owner).execute();
  const disabled = moveBy(EVENT_DESTINATION_MOVES, 'disabled by the caller');
  // Deleted later: each may have a month of events, and everything waits for this transaction.
  await trx
    .updateTable('event_destinations')
    .set({ status: disabled.to, disabled_reason: 'owner' })
    .where('account_record', '=', owner)
    .where('status', 'in', disabled.from)
    .execute();
  await trx
    .updateTable('syncs')
    .set({ enabled: false, next_run_at: null })
    .where('account_record', '=', owner)
    .execute();
  // A person who is still at the vendor or the bank returns too late; what they granted is withdrawn with the link.
  for (const table of ['destination_links', 'link_sessions'] as const) {
    await trx
      .updateTable(table)
      .set({ expires_at: now })
      .where('account_record', '=', owner)
      .where('expires_at', '>', now)
      .where('completed_at', 'is', null)
      .where('failed_at', 'is', null)
      .execute();
  }
  await trx
    .updateTable('link_sessions')
    .set({ settle_at: now })
    .where('account_record', '=', owner)
    .where('settle_at', '>', now)
    .execute();
}

/** Everything that gives a caller or a new member access. */
const OPENING = [
  'api_keys',
  'oauth_grants',
  'simplefin_apps',
  'simplefin_setup_tokens',
  'invitations',
  'memberships',
] as const;

/**
 * The people who share the account record. Their rows are locked before anything of theirs is deleted: a person who
 * signs in or joins another account record locks in the same order, so there is no deadlock.
 */
async function holdMembers(trx: Trx, owner: OwnerId): Promise<RowId<'user'>[]> {
  const rows = await trx
    .selectFrom('users')
    .select('id')
    .where('id', 'in', (eb) =>
      eb.selectFrom('memberships').select('user_id').where('account_record', '=', owner),
    )
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.map(({ id }) => id);
}

/** Deletes the people who share no account record any more; their rows are locked. */
async function deleteLonePeople(trx: Trx, people: readonly RowId<'user'>[]): Promise<void> {
  if (people.length === 0) return;
  await trx
    .deleteFrom('users')
    .where('id', 'in', people)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(selectFrom('memberships').select('user_id').whereRef('memberships.user_id', '=', 'users.id')),
      ),
    )
    .execute();
}

/** Connections that have not been revoked yet. */
export async function connectionsToRevoke(db: Db, owner: OwnerId): Promise<RowId<'connection'>[]> {
  const rows = await db
    .selectFrom('connections')
    .select('id')
    .where('account_record', '=', owner)
    .where('revoked_at', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Deletes a batch of the tables that can be very large, and returns whether there may be more: the cascade of the
 * account record's own deletion is one statement, which other owners would wait for.
 */
export async function deleteManyRows(db: Db, owner: OwnerId): Promise<boolean> {
  for (const table of NUMEROUS) {
    // The order makes the planner use the index, which it does not where the owner has much of the table: it would read
    // the rows of others before them, for each batch. With `=`, it would ignore the order.
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where account_record = ${owner} and ctid = any (array(
        select ctid from ${sql.table(table)}
        where account_record between ${owner} and ${owner}
        order by account_record limit ${sql.lit(BATCH_ROWS)}
      ))`.execute(db);
    if (numAffectedRows !== undefined && numAffectedRows > 0n) return true;
  }
  const { numAffectedRows } = await sql`
    delete from event_batches where ctid = any (array(
      select batch.ctid
      from event_destinations as receiver
      -- A subquery for each event destination, so that no statistics make the planner read the batches of all.
      cross join lateral (
        select ctid from event_batches
        where destination = receiver.id order by first_position limit ${sql.lit(BATCH_ROWS)}
      ) as batch
      where receiver.account_record = ${owner} limit ${sql.lit(BATCH_ROWS)}
    ))`.execute(db);
  return numAffectedRows !== undefined && numAffectedRows > 0n;
}

const NUMEROUS = [
  'events',
  'idempotency_keys',
  'consent_events',
  'released_accounts',
  'audit_events',
  'link_sessions',
] as const;

/** Whether anything still exists at vendors: a consent, a customer, a grant, a link that is being followed. */
export async function standsOutside(db: Db, owner: OwnerId, now: Date): Promise<boolean> {
  const { rows } = await sql<{ stands: boolean }>`select (
    exists (select 1 from connections where account_record = ${owner} and cleaned_at is null)
    or exists (select 1 from link_sessions where account_record = ${owner} and settle_at is not null)
    or exists (select 1 from end_users where account_record = ${owner} and released_at is null)
    or exists (select 1 from destination_links where account_record = ${owner} and landing_until > ${now}
      and completed_at is null and failed_at is null)
    or exists (select 1 from grant_revocations where account_record = ${owner})
  ) as stands`.execute(db);
  return rows[0]?.stands !== false;
}

/** Whether syncs or destinations are left, which are deleted one by one. */
export async function hasSyncsOrDestinations(db: Db, owner: OwnerId): Promise<boolean> {
  const { rows } = await sql<{ left: boolean }>`select (
    exists (select 1 from syncs where account_record = ${owner})
    or exists (select 1 from destinations where account_record = ${owner})) as left`.execute(db);
  return rows[0]?.left !== false;
}

/** Locks the row until the transaction ends, so that nothing that refers to it can be added. False if it is gone. */
export async function holdAccountRecord(trx: Trx, owner: OwnerId): Promise<boolean> {
  const query = trx.selectFrom('account_records').select('id').where('id', '=', owner).forUpdate();
  return (await query.executeTakeFirst()) !== undefined;
}

/**
 * Deletes the account record with everything that belongs to it, except released customers of vendors: they are deleted
 * at the vendor, and again once an open page of the vendor has ended, and then their rows are.
 */
export async function deleteAccountRecord(trx: Trx, owner: OwnerId): Promise<void> {
  await trx
    .deleteFrom('end_users')
    .where('account_record', '=', owner)
    .where('released_at', 'is', null)
    .execute();
  // Including the job of the deletion itself, which is complete with this.
  await trx.deleteFrom('jobs').where('account_record', '=', owner).execute();
  await trx.deleteFrom('account_records').where('id', '=', owner).execute();
}
