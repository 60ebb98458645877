import { type QueryExecutorProvider, sql } from 'kysely';

/** Jobs that wait for a worker or are leased to one. A payload has ids and nothing else. */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql`
    create table jobs (
      id uuid primary key,
      queue text not null,
      account_record uuid not null,
      payload jsonb not null,
      joining uuid,
      due_at timestamptz not null,
      failures integer not null default 0,
      fence integer not null default 0,
      lease_until timestamptz,
      unique (queue, joining)
    )`.execute(db);
  await sql`create index jobs_due on jobs (queue, account_record, due_at)`.execute(db);
}
