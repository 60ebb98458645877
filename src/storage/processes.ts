import { sql } from 'kysely';
import type { Db } from './database.ts';

/** A worker counts as dead once three of its heartbeats are missing. */
export const WORKER_GONE_MS = 45_000;
export const WORKER_BEAT_MS = 15_000;

/** Records that a process still takes runs, and deletes those that are dead. */
export async function beatWorker(db: Db, id: string, now: Date): Promise<void> {
  const gone = new Date(now.getTime() - WORKER_GONE_MS);
  await sql`
    with forgotten as (delete from worker_processes where seen_at < ${gone}::timestamptz and id <> ${id}::uuid)
    insert into worker_processes (id, seen_at) values (${id}::uuid, ${now}::timestamptz)
    on conflict (id) do update set seen_at = excluded.seen_at`.execute(db);
}

/** The process takes no more runs. */
export async function endWorker(db: Db, id: string): Promise<void> {
  await db.deleteFrom('worker_processes').where('id', '=', id).execute();
}

/** The connection on which each process that serves waits for notices, by which Postgres knows how many there are. */
export const NOTICES_CONNECTION = 'tributary notices';

/** Processes on a Postgres database. One that takes runs is in both counts. */
export interface KnownProcesses {
  /** Whose connection for notices is open now. */
  readonly listening: number;
  /** Workers whose last heartbeat is recent. */
  readonly working: number;
  /** Sessions that may be of yet another process: of version 1.0.0, or not shown to the role of this one. */
  readonly unclear: number;
}

export async function knownProcesses(db: Db, now: Date): Promise<KnownProcesses> {
  const gone = new Date(now.getTime() - WORKER_GONE_MS);
  const { rows } = await sql<{ readonly count: number }>`
    select count(*)::int as count from worker_processes where seen_at > ${gone}::timestamptz`.execute(db);
  const [listening, unclear] = [await listeningProcesses(db), await unclearSessions(db)];
  return { listening, working: rows[0]?.count ?? 0, unclear };
}

/** Also before the schema exists. Postgres shows the name of a session to every role. */
export async function listeningProcesses(db: Db): Promise<number> {
  const { rows } = await sql<{ readonly count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and application_name = ${NOTICES_CONNECTION}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** What the connection for notices of version 1.0.0 runs; this version sends neither on another connection. */
const EARLIER_STATEMENTS = ['listen tributary_notices', 'select 1'];

/**
 * Version 1.0.0 gives its connection for notices the name of all others, so that it is known by its statements. What a
 * session of another role runs is hidden unless the role of this process has pg_read_all_stats. Autovacuum has no role.
 */
async function unclearSessions(db: Db): Promise<number> {
  const { rows } = await sql<{ readonly count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and usesysid is not null and application_name <> ${NOTICES_CONNECTION}
      and (query = any(${EARLIER_STATEMENTS}) or query = '<insufficient privilege>'
        or coalesce(state, 'disabled') = 'disabled')`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Another data directory may take over once three heartbeats of this one are missing. */
export const SANDBOX_GONE_S = 45;
export const SANDBOX_BEAT_MS = 15_000;

/**
 * Records that processes of this data directory use, or still use, the database with their simulators. False while
 * those of another data directory do: a consent given at one simulator is unknown to another. By the clock of the
 * database, since that of a sandbox may be ahead.
 */
export async function claimSandboxPlace(db: Db, place: string): Promise<boolean> {
  const { rows } = await sql`
    insert into sandbox_place (id, place, seen_at) values ('primary', ${place}, now())
    on conflict (id) do update set place = excluded.place, seen_at = excluded.seen_at
      where sandbox_place.place = excluded.place
        or sandbox_place.seen_at < now() - make_interval(secs => ${sql.lit(SANDBOX_GONE_S)})
    returning place`.execute(db);
  return rows.length > 0;
}
