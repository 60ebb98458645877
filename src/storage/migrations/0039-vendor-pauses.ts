import { type QueryExecutorProvider, sql } from 'kysely';

/** Until when a provider asked not to be read, by account and kind of read. */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql`
    create table vendor_pauses (
      account uuid not null references accounts (id) on delete cascade,
      what text collate "C" not null,
      since timestamptz not null,
      until timestamptz not null,
      primary key (account, what)
    )`.execute(db);
}
