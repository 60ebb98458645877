import { type QueryExecutorProvider, sql } from 'kysely';

/** What the owner of a sync chose: when it runs and which columns it shows; and a run that reads a range of days only. */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql`
    alter table syncs
      add column columns text[],
      add column schedule_minutes integer,
      add column schedule_times text[],
      add column schedule_timezone text`.execute(db);
  await sql`alter table sync_runs add column range_from text, add column range_to text`.execute(db);
}
