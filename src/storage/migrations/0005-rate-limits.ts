import { type Kysely, sql } from 'kysely';

/**
 * Counters that processes share on a Postgres server; the embedded database counts in memory. Unlogged: what was
 * counted in the last minute may be lost with the server, and writing it down twice would cost every request.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create unlogged table rate_counters (
      key varchar(255) primary key,
      points integer not null default 0,
      expire bigint
    )`.execute(db);
  await sql`
    create unlogged table heavy_slots (
      caller text primary key,
      leases jsonb not null,
      until timestamptz not null
    )`.execute(db);
}
