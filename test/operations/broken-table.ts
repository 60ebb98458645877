import { sql } from 'kysely';
import type { TestService } from '../support/service.ts';

/** The database refuses rows of a table for as long as `work` takes, as a full disk would. */
export async function withBrokenTable(
  { app }: TestService,
  table: string,
  work: () => Promise<void>,
): Promise<void> {
  const { db } = app.database;
  await sql`alter table ${sql.table(table)} add constraint out_of_order check (false) not valid`.execute(db);
  try {
    await work();
  } finally {
    await sql`alter table ${sql.table(table)} drop constraint out_of_order`.execute(db);
  }
}
