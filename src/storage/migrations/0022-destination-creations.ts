import { type QueryExecutorProvider, sql } from 'kysely';

/** What is being made at a destination's vendor: an attempt of unknown end is repeated under its key. */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql`alter table destinations add column creation_key uuid, add column creating_until timestamptz`.execute(
    db,
  );
}
