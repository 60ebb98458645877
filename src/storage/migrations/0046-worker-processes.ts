import { type QueryExecutorProvider, sql } from 'kysely';

/** Processes that take runs, so that the others can tell that there is none. */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql`
    create table worker_processes (
      id uuid primary key,
      seen_at timestamptz not null
    )`.execute(db);
}
