import { type Kysely, sql } from 'kysely';

/** Customers at vendors, link sessions, connections, consents with their audit trail, and account metadata. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table provider_customers (
      id uuid primary key,
      account_record uuid not null references account_records (id) on delete cascade,
      provider text not null,
      customer bytea,
      claimed_until timestamptz,
      created timestamptz not null,
      unique (account_record, provider)
    )`.execute(db);
  await sql`
    create table connections (
      id uuid primary key,
      account_record uuid not null references account_records (id) on delete cascade,
      provider text not null,
      institution_id text not null,
      institution_name text not null,
      institution_logo text,
      landed_at timestamptz,
      last_refreshed_at timestamptz,
      refresh_at timestamptz not null,
      invalidated_at timestamptz,
      revoked_at timestamptz,
      cleaned_at timestamptz,
      metadata jsonb,
      created timestamptz not null,
      updated timestamptz not null
    )`.execute(db);
  await sql`create index connections_owner on connections (account_record, id desc)`.execute(db);
  await sql`create index connections_refresh on connections (refresh_at) where revoked_at is null`.execute(
    db,
  );
  await createLinkSessions(db);
  await createConsents(db);
  await createAccounts(db);
}

async function createLinkSessions(db: Kysely<unknown>): Promise<void> {
  // No reference to connections: a session says what became of it after the connection is gone.
  await sql`
    create table link_sessions (
      id uuid primary key,
      account_record uuid not null references account_records (id) on delete cascade,
      provider text not null,
      institution_id text,
      institution_name text,
      return_url text not null,
      renews uuid,
      connection uuid,
      failure_reason text,
      vendor_state bytea,
      begun_at timestamptz,
      settle_at timestamptz,
      expires_at timestamptz not null,
      completed_at timestamptz,
      failed_at timestamptz,
      metadata jsonb,
      created timestamptz not null,
      updated timestamptz not null
    )`.execute(db);
  await sql`create index link_sessions_owner on link_sessions (account_record, id desc)`.execute(db);
  await sql`create index link_sessions_settle on link_sessions (settle_at) where settle_at is not null`.execute(
    db,
  );
}

async function createConsents(db: Kysely<unknown>): Promise<void> {
  // No reference to connections: the record of a consent outlives its connection.
  await sql`
    create table consents (
      id uuid primary key,
      account_record uuid not null references account_records (id) on delete cascade,
      connection uuid not null,
      provider text not null,
      current boolean not null,
      consent_hash bytea not null,
      "grant" bytea,
      purpose text,
      data_categories text[] not null,
      granted_at timestamptz not null,
      expires_at timestamptz,
      withdrawn_at timestamptz,
      termination_reason text,
      checked_at timestamptz not null,
      recorded_status text not null,
      created timestamptz not null,
      updated timestamptz not null
    )`.execute(db);
  await sql`create index consents_owner on consents (account_record, id desc)`.execute(db);
  await sql`create unique index consents_current on consents (connection) where current`.execute(db);
  await sql`create unique index consents_held on consents (account_record, consent_hash) where "grant" is not null`.execute(
    db,
  );
  await sql`
    create table consent_events (
      id uuid primary key,
      account_record uuid not null references account_records (id) on delete cascade,
      consent uuid not null references consents (id) on delete cascade,
      kind text not null,
      status text not null,
      reason text,
      created timestamptz not null
    )`.execute(db);
  await sql`create index consent_events_consent on consent_events (consent, id)`.execute(db);
}

async function createAccounts(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table accounts (
      id uuid primary key,
      account_record uuid not null references account_records (id) on delete cascade,
      connection uuid not null references connections (id) on delete cascade,
      provider text not null,
      institution_id text not null,
      upstream_id text not null,
      name text not null,
      type text not null,
      masked_number text,
      number_mac text,
      currency text not null,
      timezone text not null,
      unavailable_since timestamptz,
      last_seen_at timestamptz not null,
      created timestamptz not null,
      updated timestamptz not null,
      unique (connection, upstream_id)
    )`.execute(db);
  await sql`create index accounts_owner on accounts (account_record, id desc)`.execute(db);
  await sql`
    create table released_accounts (
      id uuid primary key,
      account_record uuid not null references account_records (id) on delete cascade,
      provider text not null,
      institution_id text not null,
      number_mac text not null,
      released_at timestamptz not null
    )`.execute(db);
  await sql`create index released_accounts_owner on released_accounts (account_record, provider, institution_id)`.execute(
    db,
  );
}
