import { type QueryExecutorProvider, sql } from 'kysely';

/** Rows that a sync could not deliver: which ones, of which day and why, never an amount or a text. */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql`
    create table rejected_rows (
      id uuid primary key,
      account_record uuid not null,
      sync uuid not null references syncs (id) on delete cascade,
      account uuid not null,
      origin text not null,
      row_key text not null,
      source_id text,
      day text,
      field text,
      reason text not null,
      content_mac text,
      first_run uuid not null,
      last_run uuid not null,
      first_seen timestamptz not null,
      last_seen timestamptz not null,
      unique (sync, account, origin, row_key)
    )`.execute(db);
  await sql`create index rejected_rows_latest on rejected_rows (sync, id)`.execute(db);
  await sql`alter table sync_runs add column rejected_unlisted integer not null default 0`.execute(db);
}
