import { type Kysely, sql } from 'kysely';

/** Destinations, syncs, their runs, and the delivery ledger. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table destinations (
      id uuid primary key,
      account_record uuid not null references account_records (id) on delete cascade,
      type text not null,
      name text not null,
      status text not null,
      target jsonb not null,
      signing_secret bytea,
      previous_secret bytea,
      previous_secret_until timestamptz,
      mac_key bytea not null,
      failed_runs integer not null default 0,
      first_failed_at timestamptz,
      metadata jsonb,
      created timestamptz not null,
      updated timestamptz not null
    )`.execute(db);
  await sql`create index destinations_owner on destinations (account_record, id desc)`.execute(db);
  await sql`create unique index destinations_webhook_url on destinations (account_record, (target ->> 'url')) where type = 'webhook'`.execute(
    db,
  );
  await createSyncs(db);
  await createRuns(db);
  await createLedger(db);
}

async function createSyncs(db: Kysely<unknown>): Promise<void> {
  // Unique: two syncs never write to one destination (SPEC, Create rules 1).
  await sql`
    create table syncs (
      id uuid primary key,
      account_record uuid not null references account_records (id) on delete cascade,
      destination uuid not null unique references destinations (id) on delete cascade,
      name text not null,
      type text not null,
      enabled boolean not null,
      mapping_mode text not null,
      account_mappings jsonb not null,
      options jsonb not null,
      attention text,
      failed_runs integer not null default 0,
      last_synced_at timestamptz,
      next_run_at timestamptz,
      metadata jsonb,
      created timestamptz not null,
      updated timestamptz not null
    )`.execute(db);
  await sql`create index syncs_owner on syncs (account_record, id desc)`.execute(db);
  await sql`create index syncs_due on syncs (next_run_at) where next_run_at is not null`.execute(db);
  // No reference to accounts: a sync says which account it lost.
  await sql`
    create table sync_accounts (
      sync uuid not null references syncs (id) on delete cascade,
      account uuid not null,
      position integer not null,
      primary key (sync, account)
    )`.execute(db);
  await sql`create index sync_accounts_account on sync_accounts (account)`.execute(db);
}

async function createRuns(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sync_runs (
      id uuid primary key,
      account_record uuid not null references account_records (id) on delete cascade,
      sync uuid not null references syncs (id) on delete cascade,
      destination uuid not null,
      status text not null,
      trigger text not null,
      processed integer not null default 0,
      added integer not null default 0,
      updated integer not null default 0,
      rejected integer not null default 0,
      skipped_by_rules integer not null default 0,
      failure text,
      retryable boolean,
      chunks integer not null default 0,
      fence integer not null default 0,
      lease_until timestamptz,
      dispatched_at timestamptz not null,
      started_at timestamptz,
      completed_at timestamptz,
      created timestamptz not null
    )`.execute(db);
  await sql`create index sync_runs_sync on sync_runs (sync, id desc)`.execute(db);
  // At most one run of a sync is queued or running, whoever asks at the same moment.
  await sql`create unique index sync_runs_open on sync_runs (sync) where status in ('queued', 'running')`.execute(
    db,
  );
  await sql`
    create table sync_run_accounts (
      run uuid not null references sync_runs (id) on delete cascade,
      account uuid not null,
      position integer not null,
      status text not null,
      processed integer not null default 0,
      added integer not null default 0,
      updated integer not null default 0,
      rejected integer not null default 0,
      skipped_by_rules integer not null default 0,
      failure text,
      primary key (run, account)
    )`.execute(db);
}

async function createLedger(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table delivery_streams (
      id bigint generated always as identity primary key,
      sync uuid not null references syncs (id) on delete cascade,
      account uuid not null,
      cursor timestamptz,
      unique (sync, account)
    )`.execute(db);
  // Byte order and no foreign key: a row of the ledger is written for every row delivered, so each costs what it must.
  await sql`
    create table delivery_ledger (
      stream bigint not null,
      source_id text collate "C" not null,
      content_mac bytea not null,
      retired boolean not null,
      provisional boolean not null,
      match_mac bytea,
      match_day integer,
      remote_ref text,
      primary key (stream, source_id)
    )`.execute(db);
  await sql`create index delivery_ledger_provisional on delivery_ledger (stream) where provisional and not retired`.execute(
    db,
  );
  // No foreign key either: the engine writes here while others hold the sync's row.
  await sql`
    create table delivery_chunks (
      event_id uuid primary key,
      sync uuid not null,
      run uuid not null,
      chunk integer not null,
      total_chunks integer,
      rows text not null,
      created timestamptz not null
    )`.execute(db);
  // Lives for the length of one request: compressing it would cost more than the room it saves.
  await sql`alter table delivery_chunks alter column rows set storage external`.execute(db);
  await sql`create index delivery_chunks_sync on delivery_chunks (sync, created)`.execute(db);
}
