import { Kysely, PostgresDialect, sql } from 'kysely';
import type { Db, OpenDatabase } from './database.ts';
import { DeadlinePool } from './postgres/deadline-pool.ts';
import type { Tables } from './tables.ts';

const CONNECTIONS = 4;

/** Connections only for counting: strangers who send many requests must not use up those that everything else needs. */
export interface CounterDatabase {
  readonly db: Db;
  readonly pool: Pick<DeadlinePool, 'query'>;
  close(): Promise<void>;
}

/** Null for the embedded database, which has one process. @param patienceMs after which a statement fails */
export function openCounterDatabase(database: OpenDatabase, patienceMs: number): CounterDatabase | null {
  if (database.pool === null) return null;
  const pool = new DeadlinePool({
    config: { ...database.pool.options, max: CONNECTIONS },
    statementMs: patienceMs,
  });
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return { db, pool, close: () => pool.end() };
}

/** Where slots are: the second survives a crash of the server, and costs more to write. */
export type SlotTable = 'heavy_slots' | 'lasting_quotas';

/** Deletes what ended before `before`: counters of past windows, and callers without heavy requests. */
export async function deletePastCounts(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('rate_counters').where('expire', '<', before.getTime()).execute();
  await deletePastSlots(db, 'heavy_slots', before);
}

export async function deletePastSlots(db: Db, table: SlotTable, before: Date): Promise<void> {
  await db.deleteFrom(table).where('until', '<', before).execute();
}

const NOW_MS = sql`(extract(epoch from clock_timestamp()) * 1000)`;
const LIVE = sql`
  (select count(*) from jsonb_each_text(held.leases) lease where lease.value::numeric > ${NOW_MS})`;
const LIVE_LEASES = sql`
  coalesce((select jsonb_object_agg(lease.key, lease.value) from jsonb_each(held.leases) lease
            where lease.value::numeric > ${NOW_MS}), '{}')`;

/**
 * Whether one of `places` was free; it is then the holder's for `leaseMs`. One statement on one row, by the server's
 * clock: two processes that ask at the same moment are serialised there.
 */
export async function takeSlot(
  db: Db,
  table: SlotTable,
  slot: {
    readonly caller: string;
    readonly holder: string;
    readonly places: number;
    readonly leaseMs: number;
  },
): Promise<boolean> {
  const { caller, holder, places, leaseMs } = slot;
  const lease = sql`jsonb_build_object(${holder}::text, floor(${NOW_MS} + ${leaseMs}::integer))`;
  const until = sql`clock_timestamp() + ${leaseMs}::integer * interval '1 millisecond'`;
  const { rows } = await sql`
    insert into ${sql.table(table)} as held (caller, leases, until) values (${caller}, ${lease}, ${until})
    on conflict (caller) do update set leases = ${LIVE_LEASES} || excluded.leases, until = excluded.until
    where ${LIVE} < ${places}
    returning caller`.execute(db);
  return rows.length === 1;
}

export async function freeSlot(db: Db, table: SlotTable, caller: string, holder: string): Promise<void> {
  await sql`
    update ${sql.table(table)} set leases = leases - ${holder}::text where caller = ${caller}`.execute(db);
}

/** Milliseconds until the first of the caller's leases ends; 0 if there is none. */
export async function nextFreeSlotMs(db: Db, table: SlotTable, caller: string): Promise<number> {
  const { rows } = await sql<{ wait: number | null }>`
    select (min(lease.value::numeric) - ${NOW_MS})::float8 as wait
    from ${sql.table(table)} held, jsonb_each_text(held.leases) lease
    where held.caller = ${caller} and lease.value::numeric > ${NOW_MS}`.execute(db);
  return Math.max(0, Math.ceil(rows[0]?.wait ?? 0));
}
