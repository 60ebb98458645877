import { type QueryExecutorProvider, sql } from 'kysely';

/** Which data directory's simulators are in use with this database, so that a second one is refused. */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql`
    create table sandbox_place (
      id text primary key,
      place text not null,
      seen_at timestamptz not null
    )`.execute(db);
}
