import { type QueryExecutorProvider, sql } from 'kysely';

/** Notifications of providers that were acted on, by their hash, so that one that comes again is passed over. */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql`create table provider_notifications (hash bytea primary key, received_at timestamptz not null)`.execute(
    db,
  );
  await sql`create index provider_notifications_received_at on provider_notifications (received_at)`.execute(
    db,
  );
}
