import { type Selectable, sql } from 'kysely';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { LocalDate } from '../vocabulary/moments.ts';
import type { ChangeSnapshotsTable } from './change-tables.ts';
import type { Db, Trx } from './database.ts';
import { owned, ownedRow } from './owned-rows.ts';

export type ChangeSnapshot = Selectable<ChangeSnapshotsTable>;

/** The owner's snapshot of this account that was used at or after `since`; null if there is none. */
export async function findChangeSnapshot(
  db: Db,
  owner: OwnerId,
  { id, account, since }: { readonly id: string; readonly account: RowId<'account'>; readonly since: Date },
): Promise<ChangeSnapshot | null> {
  const query = db
    .selectFrom('change_snapshots')
    .selectAll()
    .where('account', '=', account)
    .where('used_at', '>=', since);
  return ownedRow(query, owner, id);
}

/**
 * Adds a snapshot if the account is still the owner's; false if it is not. Of the answers to one request that is
 * repeated, the latest `most` are kept.
 */
export async function insertChangeSnapshot(trx: Trx, row: ChangeSnapshot, most: number): Promise<boolean> {
  const { rows } = await sql<{ readonly id: string }>`
    insert into change_snapshots (
      id, account_record, account, feed, round, page, changes_left, days, include_pending, first_day,
      state, observed_at, created, used_at
    )
    select ${row.id}::uuid, account_record, id, ${row.feed}::uuid, ${row.round}::int, ${row.page}::int,
      ${row.changes_left}::int, ${row.days}::int, ${row.include_pending}::boolean, ${row.first_day}::text,
      ${row.state}::bytea, ${row.observed_at}::timestamptz, ${row.created}::timestamptz, ${row.used_at}::timestamptz
    from accounts where id = ${row.account}::uuid and account_record = ${row.account_record}::uuid
    returning id`.execute(trx);
  await sql`
    delete from change_snapshots where id in (
      select id from change_snapshots
      where account_record = ${row.account_record}::uuid and feed = ${row.feed}::uuid
        and round = ${row.round}::int and page = ${row.page}::int
      order by created desc, id desc offset ${most}::int
    )`.execute(trx);
  return rows.length === 1;
}

/**
 * Records that the client used the snapshot, and with it the others of its feed, and deletes those that it shows the
 * client to be past: those of earlier rounds and, except for the one that the round begins with, of earlier pages. False
 * if the snapshot is gone.
 */
export async function useChangeSnapshot(
  trx: Trx,
  { id, account_record: owner, feed, round, page }: ChangeSnapshot,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql<{ readonly id: string }>`
    update change_snapshots set used_at = ${now}::timestamptz
    where account_record = ${owner}::uuid and feed = ${feed}::uuid
    returning id`.execute(trx);
  if (!rows.some((row) => row.id === id)) return false;
  await trx
    .deleteFrom('change_snapshots')
    .where('account_record', '=', owner)
    .where('feed', '=', feed)
    .where((eb) =>
      eb.or([
        eb('round', '<', round),
        eb.and([eb('round', '=', round), eb('page', '>', 0), eb('page', '<', page)]),
      ]),
    )
    .execute();
  return true;
}

/** What changes in a snapshot without a change for the client: evidence, and days that are no longer tracked. */
interface SnapshotUpdate {
  readonly firstDay: LocalDate;
  readonly state: Uint8Array;
  readonly observedAt: Date;
}

/** Call it for a snapshot that its client has used. */
export async function updateChangeSnapshot(
  trx: Trx,
  { id, account_record: owner }: Pick<ChangeSnapshot, 'id' | 'account_record'>,
  { firstDay, state, observedAt }: SnapshotUpdate,
): Promise<void> {
  await owned(
    trx
      .updateTable('change_snapshots')
      .set({ first_day: firstDay, state: Buffer.from(state), observed_at: observedAt }),
    owner,
    id,
  ).execute();
}

/**
 * Deletes the oldest snapshots of the feed until there are at most `snapshots` and they take at most `bytes`, except
 * those that its client may go on from: `answer`, `used`, which it may send again, and what the round begins with.
 */
export async function trimChangeFeed(
  trx: Trx,
  { used, answer }: { readonly used: ChangeSnapshot; readonly answer: string },
  { snapshots, bytes }: { readonly snapshots: number; readonly bytes: number },
): Promise<void> {
  await sql`
    delete from change_snapshots where id in (
      select id from (
        select id, needed, row_number() over latest as place, sum(bytes) over latest as total
        from (
          select id, created, length(state) as bytes,
            id in (${used.id}::uuid, ${answer}::uuid) or (round = ${used.round}::int and page = 0) as needed
          from change_snapshots
          where account_record = ${used.account_record}::uuid and feed = ${used.feed}::uuid
        ) as sizes
        window latest as (order by needed desc, created desc, id desc)
      ) as ranked
      where not needed and (place > ${snapshots}::int or total > ${bytes}::bigint)
    )`.execute(trx);
}

/**
 * Deletes the owner's least recently used feeds, except `kept`, until there are at most `feeds` and all snapshots
 * together take at most `bytes`.
 */
export async function evictChangeFeeds(
  trx: Trx,
  owner: OwnerId,
  kept: string,
  { feeds, bytes }: { readonly feeds: number; readonly bytes: number },
): Promise<void> {
  await sql`
    delete from change_snapshots where account_record = ${owner}::uuid and feed in (
      select feed from (
        select feed, row_number() over latest as place, sum(bytes) over latest as total
        from (
          select feed, max(used_at) as used, sum(length(state)) as bytes
          from change_snapshots where account_record = ${owner}::uuid group by feed
        ) as sizes
        window latest as (order by feed = ${kept}::uuid desc, used desc, feed)
      ) as ranked
      where feed <> ${kept}::uuid and (place > ${feeds}::int or total > ${bytes}::bigint)
    )`.execute(trx);
}

/** Deleted in one statement, during which all others wait for the embedded database. */
const AT_ONCE = 100;

/** Deletes snapshots that were last used before `since`, a few at a time, so that no one waits long for it. */
export async function deleteUnusedChangeSnapshots(db: Db, since: Date): Promise<void> {
  for (let deleted = AT_ONCE; deleted === AT_ONCE; ) {
    const result = await db
      .deleteFrom('change_snapshots')
      .where('id', 'in', (eb) =>
        eb.selectFrom('change_snapshots').select('id').where('used_at', '<', since).limit(AT_ONCE),
      )
      .where('used_at', '<', since)
      .executeTakeFirst();
    deleted = Number(result.numDeletedRows);
  }
}
