import { type Kysely, sql } from 'kysely';

/**
 * A customer at a vendor for any number of connections, with what renewing its secret needs; logins that were lost;
 * refreshes that people asked for; and the indexes by which a vendor's notification finds what it is about.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table end_users
      add column customer_hash bytea,
      add column asked_at timestamptz,
      add column renewing_until timestamptz`.execute(db);
  await sql`create index end_users_customer on end_users (provider, customer_hash) where customer_hash is not null`.execute(
    db,
  );
  await sql`
    alter table connections
      add column end_user uuid,
      add column login_lost_at timestamptz,
      add column refresh_asked_at timestamptz,
      add column signalled_at timestamptz`.execute(db);
  // An earlier version that runs beside this one writes end_users.connection alone, so readers look there as well.
  await sql`
    update connections set end_user = end_users.id
    from end_users where end_users.connection = connections.id`.execute(db);
  await sql`create index connections_end_user on connections (end_user) where end_user is not null`.execute(
    db,
  );
  await sql`create index consents_hash on consents (consent_hash) where "grant" is not null`.execute(db);
  await sql`create index accounts_upstream on accounts (provider, upstream_id)`.execute(db);
}
