import { type QueryExecutorProvider, sql } from 'kysely';

/** Streams whose rows in the ledger are nobody's any more, and whose sync they were: deleted a batch at a time. */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql`
    create table stale_streams (
      stream integer primary key,
      sync uuid not null
    )`.execute(db);
}
