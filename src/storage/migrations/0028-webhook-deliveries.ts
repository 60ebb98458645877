import { type QueryExecutorProvider, sql } from 'kysely';

/** What was sent to webhooks, and which syncs are being replayed. */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql`
    create table webhook_deliveries (
      id uuid primary key,
      account_record uuid not null,
      destination uuid not null references destinations (id) on delete cascade,
      sync uuid not null references syncs (id) on delete cascade,
      run uuid,
      event_id uuid not null,
      kind text not null,
      new_count integer not null,
      updated_count integer not null,
      removed_count integer not null,
      status text not null,
      attempts integer not null,
      rows bytea not null,
      log jsonb not null,
      created timestamptz not null,
      unique (destination, event_id)
    )`.execute(db);
  await sql`create index webhook_deliveries_latest on webhook_deliveries (destination, id)`.execute(db);
  await sql`create index webhook_deliveries_sync on webhook_deliveries (sync)`.execute(db);
  await sql`
    create table sync_replays (
      id uuid primary key,
      sync uuid not null references syncs (id) on delete cascade,
      until timestamptz not null
    )`.execute(db);
  await sql`create index sync_replays_sync on sync_replays (sync)`.execute(db);
}
