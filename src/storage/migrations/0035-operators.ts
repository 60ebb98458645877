import { type QueryExecutorProvider, sql } from 'kysely';

/**
 * Who may look after the installation in a browser. Nobody does by this change: the person who signed in first may have
 * been invited, so the command line names operators.
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql`alter table users add column operator boolean not null default false`.execute(db);
}
