import { type RawBuilder, type Selectable, sql } from 'kysely';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { ATTEMPT_FAILURES, type AttemptFailure } from '../vocabulary/event-deliveries.ts';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { Page, PageRequest } from '../vocabulary/paging.ts';
import type { Db } from './database.ts';
import { type DeliveredRows, packDelivered } from './delivered-rows.ts';
import type { WebhookDeliveriesTable } from './destination-tables.ts';
import { selectPage } from './pages.ts';

export type WebhookDeliveryRow = Selectable<WebhookDeliveriesTable>;
/** A delivery without its rows. */
export type ListedDelivery = Omit<WebhookDeliveryRow, 'rows'>;

export interface SentDelivery extends Omit<WebhookDeliveryRow, 'rows' | 'log' | 'attempts'> {
  readonly rows: readonly DeliveredRows[];
  readonly attempts: readonly DeliveryAttempt[];
}

const LISTED = [
  'id',
  'account_record',
  'destination',
  'sync',
  'run',
  'event_id',
  'kind',
  'new_count',
  'updated_count',
  'removed_count',
  'status',
  'attempts',
  'log',
  'created',
] as const;

/** A delivery to record, and how many of its destination's latest ones are kept. */
export interface LoggedDelivery {
  readonly sent: SentDelivery;
  readonly kept: number;
}

/**
 * Records attempts to send an event, and deletes all but the destination's `kept` latest deliveries, in one statement.
 * Attempts of an event that was sent before are added to its delivery, which stays succeeded once it has.
 */
export async function noteDelivery(db: Db, sent: SentDelivery, kept: number): Promise<void> {
  const [target, ...rest] = logClauses({ sent, kept });
  await sql`with ${target} ${sql.join(rest, sql``)} select id from target`.execute(db);
}

/**
 * The clauses of `noteDelivery` for a statement that records more. The first, `target`, locks destination and sync, and
 * has no row if they are gone: then nothing is recorded. It has to be evaluated before a run is locked.
 */
export function logClauses({
  sent,
  kept,
}: LoggedDelivery): readonly [RawBuilder<unknown>, ...RawBuilder<unknown>[]] {
  const { attempts, rows } = sent;
  const target = sql`target as materialized (
      select syncs.id
      from destinations join syncs on syncs.destination = destinations.id
      where destinations.id = ${sent.destination}::uuid and syncs.id = ${sent.sync}::uuid
      for key share
    )`;
  const noted = sql`, noted as (
      insert into webhook_deliveries as known (
        id, account_record, destination, sync, run, event_id, kind, new_count, updated_count, removed_count, status,
        attempts, rows, log, created
      )
      select ${sent.id}::uuid, ${sent.account_record}::uuid, ${sent.destination}::uuid, target.id, ${sent.run}::uuid,
        ${sent.event_id}::uuid, ${sent.kind}::text, ${sent.new_count}::int, ${sent.updated_count}::int,
        ${sent.removed_count}::int, ${sent.status}::text, ${attempts.length}::int, ${packDelivered(rows)}::bytea,
        ${loggedAttempts([], ...attempts)}::jsonb, ${sent.created}::timestamptz
      from target
      on conflict (destination, event_id) do update set
        new_count = excluded.new_count, updated_count = excluded.updated_count,
        removed_count = excluded.removed_count, rows = excluded.rows,
        status = case when known.status = 'succeeded' then known.status else excluded.status end,
        attempts = known.attempts + excluded.attempts,
        log = jsonb_set(excluded.log, '{attempts}', (
          select coalesce(jsonb_agg(latest.value order by latest.number), '[]')
          from (
            select value, number
            from jsonb_array_elements((known.log -> 'attempts') || (excluded.log -> 'attempts'))
              with ordinality as logged (value, number)
            order by number desc limit ${ATTEMPTS_KEPT}::int
          ) as latest
        ))
    )`;
  // Rows that a delivery of another sync is deleting at the same time are skipped: the two would deadlock.
  const gone = sql`, old as (
      select id from webhook_deliveries
      where destination = ${sent.destination}::uuid and event_id <> ${sent.event_id}::uuid
      order by id desc offset ${kept - 1}::int
      for update skip locked
    ), gone as (
      delete from webhook_deliveries as delivery using old where delivery.id = old.id
    )`;
  return [target, noted, gone];
}

/** Whether a statement failed because of its `logClauses`. */
export function isLogFailure(error: unknown): boolean {
  return error instanceof Error && 'table' in error && error.table === 'webhook_deliveries';
}

/** The `kept` latest deliveries of a destination, in pages, newest first. */
export async function listDeliveries(
  db: Db,
  owner: OwnerId,
  destination: RowId<'destination'>,
  page: PageRequest,
  kept: number,
): Promise<Page<ListedDelivery>> {
  const latest = db
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('destination', '=', destination)
    .orderBy('id', 'desc')
    .limit(kept);
  const query = db
    .selectFrom('webhook_deliveries')
    .select(LISTED)
    .where('account_record', '=', owner)
    .where('destination', '=', destination)
    .where('id', 'in', latest);
  return selectPage<ListedDelivery>(query, page);
}

export async function findDelivery(
  db: Db,
  owner: OwnerId,
  destination: RowId<'destination'>,
  id: RowId<'webhook_delivery'>,
): Promise<WebhookDeliveryRow | null> {
  const row = await db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('account_record', '=', owner)
    .where('destination', '=', destination)
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

const VERSION = 1;
/** Attempts kept of a delivery; older ones are dropped. */
export const ATTEMPTS_KEPT = 10;

/** One attempt to deliver an event. */
export interface DeliveryAttempt {
  /** Epoch milliseconds at which it began. */
  readonly at: number;
  readonly durationMs: number;
  /** Of the answer; null if there was none. */
  readonly status: number | null;
  /** Why there was no answer. */
  readonly failure: AttemptFailure | null;
  /** The beginning of an unsuccessful answer, as text; null if there was none. */
  readonly answer: string | null;
}

const Log = Type.Object({
  version: Type.Literal(VERSION),
  attempts: Type.Array(
    Type.Object({
      at: Type.Integer(),
      durationMs: Type.Integer(),
      status: Type.Union([Type.Integer(), Type.Null()]),
      failure: Type.Union([...ATTEMPT_FAILURES.map((one) => Type.Literal(one)), Type.Null()]),
      answer: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
});

/** The attempts in a stored log, oldest first. @throws TypeError for a format that this version does not know */
export function attemptsOf(log: unknown): readonly DeliveryAttempt[] {
  if (log === null) return [];
  if (!Value.Check(Log, log)) throw new TypeError('a log of attempts has an unknown form');
  return log.attempts;
}

/** The log with attempts added, in its stored form. */
export function loggedAttempts(
  before: readonly DeliveryAttempt[],
  ...more: readonly DeliveryAttempt[]
): string {
  return JSON.stringify({ version: VERSION, attempts: [...before, ...more].slice(-ATTEMPTS_KEPT) });
}

/** Makes runs of the sync wait until `until`, or until it is released; deletes what processes that died left behind. */
export async function holdSync(
  db: Db,
  sync: RowId<'sync'>,
  id: string,
  now: Date,
  until: Date,
): Promise<void> {
  await sql`
    with expired as (
      delete from sync_replays where sync = ${sync} and until <= ${now}::timestamptz
    )
    insert into sync_replays (id, sync, until)
    select ${id}::uuid, id, ${until}::timestamptz from syncs where id = ${sync}`.execute(db);
}

export async function giveSyncBack(db: Db, id: string): Promise<void> {
  await db.deleteFrom('sync_replays').where('id', '=', id).execute();
}

/** Whether a chunk of a replay is being sent. */
export async function isSyncHeld(db: Db, sync: RowId<'sync'>, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('sync_replays')
    .select('id')
    .where('sync', '=', sync)
    .where('until', '>', now)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
