import { type QueryExecutorProvider, sql } from 'kysely';

/** Until when one process exchanges a destination's grant for another, so that no two use one refresh token. */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql`alter table destinations add column grant_claimed_until timestamptz`.execute(db);
}
