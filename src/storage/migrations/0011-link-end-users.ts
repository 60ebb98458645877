import { type Kysely, sql } from 'kysely';

/** An end user at the vendor for each link, and what a link session keeps of the vendor's page it opened. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // No references: an end user is deleted at the vendor also after everything it was made for has gone.
  await sql`
    create table end_users (
      id uuid primary key,
      account_record uuid not null,
      provider text not null,
      connection uuid,
      customer bytea,
      pages_until timestamptz,
      released_at timestamptz,
      delete_at timestamptz,
      created timestamptz not null
    )`.execute(db);
  await sql`create index end_users_connection on end_users (connection) where connection is not null`.execute(
    db,
  );
  await sql`create index end_users_delete on end_users (delete_at) where delete_at is not null`.execute(db);
  await sql`
    alter table link_sessions
      add column end_user uuid,
      add column attempts integer not null default 0,
      add column vendor_until timestamptz,
      add column opening_until timestamptz,
      add column landing_until timestamptz`.execute(db);
}
