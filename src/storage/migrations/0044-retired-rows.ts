import { type QueryExecutorProvider, sql } from 'kysely';

/** Finds the retired rows of a stream, which are few, without reading all of it. */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql`create index delivery_ledger_retired on delivery_ledger (stream) where state in (2, 3)`.execute(
    db,
  );
}
