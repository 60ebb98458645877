import { sql } from 'kysely';
import type { Db } from './database.ts';

/** Another place may take over once three heartbeats of this one are missing. */
export const SANDBOX_GONE_S = 45;
export const SANDBOX_BEAT_MS = 15_000;

/**
 * Notes that processes of this place use the database with their simulators, and that they still do. False while those
 * of another place use it: a consent given at one simulator is unknown to another. By the clock of the database, since
 * that of a sandbox may be ahead.
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
