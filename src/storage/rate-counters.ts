import { Kysely, PostgresDialect, type RawBuilder, sql } from 'kysely';
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

const newLease = (holder: string, leaseMs: number) =>
  sql`jsonb_build_object(${holder}::text, floor(${NOW_MS} + ${leaseMs}::integer))`;
const leaseEnd = (leaseMs: number) => sql`clock_timestamp() + ${leaseMs}::integer * interval '1 millisecond'`;

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
  const { rows } = await sql`
    insert into ${sql.table(table)} as held (caller, leases, until) 
    values (${caller}, ${newLease(holder, leaseMs)}, ${leaseEnd(leaseMs)})
    on conflict (caller) do update set leases = ${LIVE_LEASES} || excluded.leases, until = excluded.until
    where ${LIVE} < ${places}
    returning caller`.execute(db);
  return rows.length === 1;
}

/**
 * Takes a slot of every level for `leaseMs` and returns null, or takes none and returns the index of the first level that
 * has none free. A lease counts at the levels whose `part` its name contains. One statement on one row, like `takeSlot`;
 * it returns the row even if nothing was free, so that the level is the one that this very statement saw.
 */
export async function takeLeveledSlot(
  db: Db,
  slot: {
    readonly caller: string;
    readonly holder: string;
    readonly levels: readonly { readonly part: string; readonly places: number }[];
    readonly leaseMs: number;
  },
): Promise<number | null> {
  const { caller, holder, levels, leaseMs } = slot;
  const parts = levels.map(({ part }) => part);
  const places = levels.map((level) => level.places);
  const fullLevel = (leases: RawBuilder<unknown>) => sql`
    (select min(level.at) - 1
     from unnest(${parts}::text[], ${places}::integer[]) with ordinality as level (part, places, at)
     where level.places <= (select count(*) from jsonb_object_keys(${leases}) as lease (name)
                            where strpos(lease.name, level.part) > 0))`;
  const { rows } = await sql<{ level: number | null }>`
    insert into heavy_slots as held (caller, leases, until)
    values (${caller}, ${newLease(holder, leaseMs)}, ${leaseEnd(leaseMs)})
    on conflict (caller) do update set (leases, until) = (
      select case when counted.level is null then live.leases || excluded.leases else live.leases end,
             case when counted.level is null then greatest(held.until, excluded.until) else held.until end
      from (select ${LIVE_LEASES} as leases) live,
           lateral (select ${fullLevel(sql`live.leases`)} as level) counted)
    returning case when held.leases ? ${holder}::text then null
                   else ${fullLevel(sql`held.leases`)} end::integer as level`.execute(db);
  return rows[0]?.level ?? null;
}

export async function freeSlots(
  db: Db,
  table: SlotTable,
  caller: string,
  holders: readonly string[],
): Promise<void> {
  await sql`
    update ${sql.table(table)} set leases = leases - ${holders}::text[] where caller = ${caller}`.execute(db);
}

/** Renews leases that are still recorded. Rows are locked in order, so that no two processes wait for each other. */
export async function renewSlots(
  db: Db,
  leases: readonly { readonly caller: string; readonly holder: string }[],
  leaseMs: number,
): Promise<void> {
  const callers = leases.map(({ caller }) => caller);
  const holders = leases.map(({ holder }) => holder);
  await sql`
    with asked as (
      select lease.caller, array_agg(lease.holder) as holders
      from unnest(${callers}::text[], ${holders}::text[]) as lease (caller, holder) group by lease.caller),
    locked as (
      select held.caller from heavy_slots held join asked using (caller) order by held.caller for update of held)
    update heavy_slots as held
    set leases = held.leases || coalesce(
          (select jsonb_object_agg(kept.holder, floor(${NOW_MS} + ${leaseMs}::integer))
           from unnest(asked.holders) as kept (holder) where held.leases ? kept.holder), '{}'),
        until = greatest(held.until, ${leaseEnd(leaseMs)})
    from asked join locked using (caller)
    where held.caller = asked.caller`.execute(db);
}

/** Milliseconds until the first of the caller's leases ends; 0 if there is none. */
export async function nextFreeSlotMs(db: Db, table: SlotTable, caller: string): Promise<number> {
  const { rows } = await sql<{ wait: number | null }>`
    select (min(lease.value::numeric) - ${NOW_MS})::float8 as wait
    from ${sql.table(table)} held, jsonb_each_text(held.leases) lease
    where held.caller = ${caller} and lease.value::numeric > ${NOW_MS}`.execute(db);
  return Math.max(0, Math.ceil(rows[0]?.wait ?? 0));
}
