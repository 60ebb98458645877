import { type QueryExecutorProvider, sql } from 'kysely';

/** What a positive balance of a loan or a card means, kept with the id when the bank is linked again. */
export async function up(db: QueryExecutorProvider): Promise<void> {
  for (const table of ['accounts', 'released_accounts'])
    await sql`
      alter table ${sql.table(table)} add column balance_sign text
        check (balance_sign in ('unverified', 'owed', 'in_credit'))`.execute(db);
}
