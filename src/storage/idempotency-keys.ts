import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import type { RowId } from '../vocabulary/ids.ts';
import type { Db, Trx } from './database.ts';
import type { IdempotencyKeysTable } from './service-tables.ts';
import type { Tables } from './tables.ts';

export type IdempotencyKeyRow = Selectable<IdempotencyKeysTable>;
export type KeyIdentity = Pick<
  IdempotencyKeyRow,
  'id' | 'account_record' | 'api_key' | 'connection' | 'actor_kind' | 'actor_id'
>;

/** An attempt with effects outside our database, and until when no other attempt may start. */
export interface KeyLease {
  readonly holder: string;
  readonly until: Date;
}

/** Rows created before `since` no longer count. */
export interface KeyTimes {
  readonly now: Date;
  readonly since: Date;
}

const AT_ONCE = 1000;

/** The newest row under one of the ids: a key has one id for each encryption key that is configured. */
export async function findIdempotencyKey(
  db: Db,
  owner: IdempotencyKeyRow['account_record'],
  ids: readonly Uint8Array[],
  since: Date,
): Promise<IdempotencyKeyRow | null> {
  const row = await db
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('account_record', '=', owner)
    .where('id', 'in', ids)
    .where('created', '>', since)
    .orderBy('created', 'desc')
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Tries to take the lock, and returns whether it was free; it is held as long as the transaction lasts, also through the
 * death of the process.
 */
export async function lockIdempotencyKey(trx: Db, lock: bigint): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(${String(lock)}::bigint) as locked`.execute(trx);
  return rows[0]?.locked === true;
}

/** Stores an answer. False if the key already has one, or an attempt in progress. */
export async function keepAnswer(
  db: Db,
  key: KeyIdentity,
  answer: Uint8Array,
  times: KeyTimes,
): Promise<boolean> {
  const settled = { holder: null, lease_until: null, answer, created: times.now };
  return upsert(db, { ...key, ...settled }, times);
}

/** Claims the key for an attempt. False if it has an answer, or another attempt in progress. */
export async function reserveKey(
  db: Db,
  key: KeyIdentity,
  lease: KeyLease,
  times: KeyTimes,
): Promise<boolean> {
  const held = { holder: lease.holder, lease_until: lease.until, answer: null, created: times.now };
  return upsert(db, { ...key, ...held }, times);
}

/** Outdated rows may be overwritten: an attempt whose process died, an answer past its retention. */
async function upsert(db: Db, row: IdempotencyKeyRow, times: KeyTimes): Promise<boolean> {
  const { id: _id, account_record: _owner, ...fresh } = row;
  const result = await db
    .insertInto('idempotency_keys')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('id')
        // The caller and the connection as well: the answer belongs to them now.
        .doUpdateSet(fresh)
        .where((eb) => outOfDate(eb, times)),
    )
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/** False if the attempt no longer holds the key. */
export async function renewKey(db: Db, id: Uint8Array, lease: KeyLease): Promise<boolean> {
  const result = await db
    .updateTable('idempotency_keys')
    .set({ lease_until: lease.until })
    .where('id', '=', id)
    .where('holder', '=', lease.holder)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Stores the answer of an attempt that holds the key. False if it no longer does. */
export async function settleKey(
  db: Db,
  id: Uint8Array,
  holder: string,
  answer: Uint8Array,
  now: Date,
): Promise<boolean> {
  const result = await db
    .updateTable('idempotency_keys')
    .set({ holder: null, lease_until: null, answer, created: now })
    .where('id', '=', id)
    .where('holder', '=', holder)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Ends an attempt that failed; the next one runs from the start. */
export async function freeKey(db: Db, id: Uint8Array, holder: string): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('id', '=', id).where('holder', '=', holder).execute();
}

/** For the start of the only process on the database: attempts in progress belong to a process that died. */
export async function freeAllKeys(db: Db): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('answer', 'is', null).execute();
}

/** Deletes the answers about a connection; attempts in progress keep their key. */
export async function deleteAnswersAbout(
  trx: Trx,
  owner: IdempotencyKeyRow['account_record'],
  connection: RowId<'connection'>,
): Promise<void> {
  await trx
    .deleteFrom('idempotency_keys')
    .where('account_record', '=', owner)
    .where('connection', '=', connection)
    .where('answer', 'is not', null)
    .execute();
}

/** Deletes outdated rows, a few at a time, so that no one waits long for it. */
export async function pruneIdempotencyKeys(db: Db, times: KeyTimes): Promise<void> {
  for (let deleted = AT_ONCE; deleted === AT_ONCE; ) {
    const result = await db
      .deleteFrom('idempotency_keys')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('idempotency_keys')
          .select('id')
          .where((where) => outOfDate(where, times))
          .limit(AT_ONCE),
      )
      // Checked again on the row itself: an attempt may have overwritten it while the deletion waited for its lock.
      .where((eb) => outOfDate(eb, times))
      .executeTakeFirst();
    deleted = Number(result.numDeletedRows);
  }
}

function outOfDate(eb: ExpressionBuilder<Tables, 'idempotency_keys'>, { now, since }: KeyTimes) {
  return eb.or([eb('idempotency_keys.created', '<=', since), eb('idempotency_keys.lease_until', '<=', now)]);
}
