import { type QueryExecutorProvider, sql } from 'kysely';

/** Events, the event destinations that subscribe to them, and what was or is to be delivered to each. */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql`
    create table event_destinations (
      id uuid primary key,
      account_record uuid not null references account_records (id) on delete cascade,
      name text not null,
      endpoint bytea not null,
      signing_secret bytea not null,
      previous_secret bytea,
      previous_secret_until timestamptz,
      enabled_events text[] not null,
      status text not null,
      disabled_reason text,
      failures integer not null default 0,
      failing_since timestamptz,
      resume_at timestamptz,
      fence integer not null default 0,
      lease_until timestamptz,
      metadata jsonb,
      created timestamptz not null,
      updated timestamptz not null
    )`.execute(db);
  await sql`create index event_destinations_owner on event_destinations (account_record, id)`.execute(db);
  // The position is given by one transaction after the other, so a reader of one has read all before it;
  // ids are made before their transactions commit and may appear out of order.
  await sql`
    create table events (
      id uuid primary key,
      account_record uuid not null references account_records (id) on delete cascade,
      kind text not null,
      subject uuid not null,
      position integer,
      created timestamptz not null
    )`.execute(db);
  await sql`create index events_owner on events (account_record, id)`.execute(db);
  await sql`create index events_position on events (account_record, position) where position is not null`.execute(
    db,
  );
  await sql`create index events_waiting on events (account_record, id) where position is null`.execute(db);
  await sql`create index events_created on events (created)`.execute(db);
  await sql`
    create table event_positions (
      account_record uuid primary key references account_records (id) on delete cascade,
      position integer not null
    )`.execute(db);
  await sql`
    create table event_deliveries (
      event uuid not null references events (id) on delete cascade,
      destination uuid not null references event_destinations (id) on delete cascade,
      account_record uuid not null,
      position integer not null,
      status text not null,
      attempts integer not null default 0,
      due_at timestamptz not null,
      log jsonb,
      primary key (event, destination)
    )`.execute(db);
  await sql`
    create index event_deliveries_due on event_deliveries (destination, due_at, position)
      where status = 'pending'`.execute(db);
}
