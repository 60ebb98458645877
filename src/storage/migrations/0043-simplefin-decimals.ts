import { type QueryExecutorProvider, sql } from 'kysely';

/** Whether an app of the bridge is sent amounts with two decimals; the app takes it over from its setup token. */
export async function up(db: QueryExecutorProvider): Promise<void> {
  for (const table of ['simplefin_setup_tokens', 'simplefin_apps'])
    await sql`
      alter table ${sql.table(table)} add column two_decimals boolean not null default false`.execute(db);
}
