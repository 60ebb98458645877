import { type Kysely, sql } from 'kysely';

/** Links by which a person connects a destination, the grant they bring, and what a sync maps categories to. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // No reference to destinations: a link says what came of it, also after that is gone.
  await sql`
    create table destination_links (
      id uuid primary key,
      account_record uuid not null references account_records (id) on delete cascade,
      type text not null,
      renews uuid,
      destination uuid,
      return_url text not null,
      failure_reason text,
      landing_until timestamptz,
      expires_at timestamptz not null,
      completed_at timestamptz,
      failed_at timestamptz,
      created timestamptz not null,
      updated timestamptz not null
    )`.execute(db);
  await sql`create index destination_links_expiry on destination_links (expires_at)`.execute(db);
  await sql`create index destination_links_owner on destination_links (account_record)`.execute(db);
  await sql`alter table destinations add column "grant" bytea`.execute(db);
  await sql`alter table syncs add column category_mappings jsonb not null default '[]'`.execute(db);
}
