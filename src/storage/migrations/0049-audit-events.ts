import { type QueryExecutorProvider, sql } from 'kysely';

/**
 * The audit log. `network` is empty where it is unknown, and where a day has more networks than are listed. A row with
 * `grouped` counts the events of its day and kind from its network.
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql`
    create table audit_events (
      id uuid primary key,
      account_record uuid not null references account_records (id) on delete cascade,
      kind text not null,
      detail text,
      actor_kind text not null,
      actor_id text,
      actor_name text,
      target text,
      network text not null,
      browser text,
      grouped boolean not null,
      occurrences integer not null default 1,
      day integer not null,
      last_at timestamptz not null,
      created timestamptz not null
    )`.execute(db);
  await sql`create index audit_events_by_owner on audit_events (account_record, id)`.execute(db);
  await sql`create index audit_events_by_day on audit_events (account_record, day, grouped)`.execute(db);
  await sql`create index audit_events_by_age on audit_events (created)`.execute(db);
  await sql`
    create unique index audit_events_grouped on audit_events (account_record, day, kind, network)
    where grouped`.execute(db);
}
