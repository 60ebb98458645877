import { type QueryExecutorProvider, sql } from 'kysely';

/**
 * Which listing of its accounts a connection waits for. Connections that exist may have a job of an earlier version,
 * which did not say so: each is taken to wait for one.
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql`alter table connections add column listing_asked uuid default gen_random_uuid()`.execute(db);
  await sql`alter table connections alter column listing_asked drop default`.execute(db);
}
