import { type QueryExecutorProvider, sql } from 'kysely';

/** In what browser a session began, so that people know which of them to sign out. Earlier sessions have none. */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql`alter table web_sessions add column browser text`.execute(db);
}
