import { type QueryExecutorProvider, sql } from 'kysely';

/** Counts the changes of each category tree, so that what was made of one can be cached until the next. */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql`alter table category_trees add column version integer not null default 0`.execute(db);
}
