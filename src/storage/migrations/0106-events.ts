import { type QueryExecutorProvider, sql } from 'kysely';

/** Events and notifications: `event-tables.ts` and `notification-tables.ts`. */
const STATEMENTS = [
  `create table event_destinations (
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
    failed_at timestamptz,
    metadata jsonb,
    created timestamptz not null,
    updated timestamptz not null
  )`,
  `create index event_destinations_owner on event_destinations (account_record, id)`,
  `create table events (
    id uuid primary key,
    account_record uuid not null references account_records (id) on delete cascade,
    kind text not null,
    subject uuid not null,
    position integer,
    created timestamptz not null
  )`,
  `create index events_created on events (created)`,
  `create index events_owner on events (account_record, id)`,
  `create index events_position on events (account_record, "position") where "position" is not null`,
  `create index events_waiting on events (account_record, id) where "position" is null`,
  `create table event_positions (
    account_record uuid primary key references account_records (id) on delete cascade,
    position integer not null
  )`,
  `create table event_deliveries (
    event uuid not null references events (id) on delete cascade,
    destination uuid not null references event_destinations (id) on delete cascade,
    account_record uuid not null,
    position integer not null,
    status text not null,
    attempts integer not null default 0,
    due_at timestamptz not null,
    log jsonb,
    primary key (event, destination)
  )`,
  `create index event_deliveries_due on event_deliveries (destination, due_at, "position") where status = 'pending'`,
  `create table vapid_keys (
    id text primary key,
    private_key bytea not null
  )`,
  `create table notification_choices (
    user_id uuid not null references users (id) on delete cascade,
    kind text not null,
    email boolean not null,
    push boolean not null,
    details boolean not null,
    primary key (user_id, kind)
  )`,
  `create table notification_thresholds (
    id uuid primary key,
    account_record uuid not null,
    user_id uuid not null,
    sync uuid references syncs (id) on delete cascade,
    currency text not null,
    amount bigint not null,
    created timestamptz not null,
    foreign key (account_record, user_id) references memberships (account_record, user_id) on delete cascade
  )`,
  `create index notification_thresholds_member on notification_thresholds (account_record, user_id)`,
  `create index notification_thresholds_sync on notification_thresholds (sync)`,
  `create table notifications (
    id uuid primary key,
    account_record uuid not null,
    user_id uuid not null,
    kind text not null,
    subject uuid not null,
    email boolean not null,
    devices uuid[] not null,
    created timestamptz not null,
    unique (account_record, user_id, kind, subject),
    foreign key (account_record, user_id) references memberships (account_record, user_id) on delete cascade
  )`,
  `create index notifications_age on notifications (created)`,
  `create table notified_transactions (
    account_record uuid not null,
    user_id uuid not null,
    mac bytea not null,
    created timestamptz not null,
    primary key (account_record, user_id, mac),
    foreign key (account_record, user_id) references memberships (account_record, user_id) on delete cascade
  )`,
  `create index notified_transactions_age on notified_transactions (created)`,
  `create table push_devices (
    id uuid primary key,
    user_id uuid not null references users (id) on delete cascade,
    endpoint_hash bytea not null unique,
    subscription bytea not null,
    browser text,
    created timestamptz not null
  )`,
  `create index push_devices_user on push_devices (user_id)`,
];

export async function up(db: QueryExecutorProvider): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
