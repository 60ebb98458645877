import { type QueryExecutorProvider, sql } from 'kysely';

/** When the latest attempt failed at an event destination: failures of one time and of a much later one are not one. */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql`alter table event_destinations add column failed_at timestamptz`.execute(db);
}
