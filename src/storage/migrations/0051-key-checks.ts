import { type QueryExecutorProvider, sql } from 'kysely';

/** One value sealed under the encryption key in use, so that a second host with another key is noticed at its start. */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql`
    create table key_checks (
      id text primary key,
      sealed bytea not null
    )`.execute(db);
}
