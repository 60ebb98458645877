import { sql } from 'kysely';
import type { Db } from './database.ts';

/** A worker counts as gone once three of its heartbeats are missing. */
export const WORKER_GONE_MS = 45_000;
export const WORKER_BEAT_MS = 15_000;

/** Says that a process still takes runs, and forgets those that are gone. */
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
