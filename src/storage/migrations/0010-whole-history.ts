import { type Kysely, sql } from 'kysely';

/** What is known of each account's history, when it was last swept, and which of its rows were missing then. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table stream_readings (
      stream bigint primary key references delivery_streams (id) on delete cascade,
      history jsonb,
      swept_recent_at timestamptz,
      swept_year_at timestamptz,
      swept_all_at timestamptz,
      sweep_after timestamptz,
      doubted_at timestamptz
    )`.execute(db);
  await sql`
    create table missing_rows (
      stream bigint not null references delivery_streams (id) on delete cascade,
      source_id text collate "C" not null,
      noted_at timestamptz not null,
      primary key (stream, source_id)
    )`.execute(db);
  await sql`alter table sync_runs add column sweeping boolean not null default false`.execute(db);
}
