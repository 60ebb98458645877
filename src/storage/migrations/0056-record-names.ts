import { type QueryExecutorProvider, sql } from 'kysely';

/**
 * What the owner calls the account record, and which bank a person chose where the sign-in at the vendor brought
 * another.
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql`alter table account_records add column name text`.execute(db);
  await sql`
    alter table connections
      add column chosen_institution_id text,
      add column chosen_institution_name text`.execute(db);
}
