import { type QueryExecutorProvider, sql } from 'kysely';

/** Whose consent it is, where the connection has passed to another customer before it is withdrawn. */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql`alter table consents add column end_user uuid`.execute(db);
  await sql`create index consents_end_user on consents (end_user) where end_user is not null`.execute(db);
}
