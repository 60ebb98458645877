import { type QueryExecutorProvider, sql } from 'kysely';

/**
 * What people are notified of, and where: their choices, amounts from which a transaction is large, browsers that receive
 * web push (sealed), and notifications that wait or were sent. None holds what a notification says.
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql`
    create table notification_choices (
      user_id uuid not null references users (id) on delete cascade,
      kind text not null,
      email boolean not null,
      push boolean not null,
      details boolean not null,
      primary key (user_id, kind)
    )`.execute(db);
  await sql`
    create table notification_thresholds (
      id uuid primary key,
      account_record uuid not null,
      user_id uuid not null,
      sync uuid references syncs (id) on delete cascade,
      currency text not null,
      amount bigint not null,
      created timestamptz not null,
      foreign key (account_record, user_id) references memberships (account_record, user_id) on delete cascade
    )`.execute(db);
  await sql`
    create index notification_thresholds_member on notification_thresholds (account_record, user_id)`.execute(
    db,
  );
  await sql`create index notification_thresholds_sync on notification_thresholds (sync)`.execute(db);
  await sql`
    create table push_devices (
      id uuid primary key,
      user_id uuid not null references users (id) on delete cascade,
      endpoint_hash bytea not null unique,
      subscription bytea not null,
      browser text,
      created timestamptz not null
    )`.execute(db);
  await sql`create index push_devices_user on push_devices (user_id)`.execute(db);
  await sql`
    create table notifications (
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
    )`.execute(db);
  await sql`create index notifications_age on notifications (created)`.execute(db);
  await sql`
    create table vapid_keys (
      id text primary key,
      private_key bytea not null
    )`.execute(db);
}
