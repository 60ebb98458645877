import { type QueryExecutorProvider, sql } from 'kysely';

/** Ids under which a bank lists several rows, and how often a resync asked for an account's rows again. */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql`
    create table shared_row_ids (
      account uuid not null references accounts (id) on delete cascade,
      row_id text collate "C" not null,
      primary key (account, row_id)
    )`.execute(db);
  await sql`
    alter table delivery_streams add column generation integer not null default 0,
      add column redelivering boolean not null default false`.execute(db);
}
