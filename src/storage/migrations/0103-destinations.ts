import { type QueryExecutorProvider, sql } from 'kysely';

/** Destinations and how they are linked: `destination-tables.ts`. */
const STATEMENTS = [
  `create table destinations (
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
    "grant" bytea,
    sealed_target bytea,
    target_mac text,
    grant_claimed_until timestamptz,
    creation_key uuid,
    creating_until timestamptz,
    metadata jsonb,
    created timestamptz not null,
    updated timestamptz not null
  )`,
  `create index destinations_owner on destinations (account_record, id desc)`,
  `create unique index destinations_target on destinations (account_record, target_mac) where target_mac is not null`,
  `create table destination_links (
    id uuid primary key,
    account_record uuid not null references account_records (id) on delete cascade,
    type text not null,
    renews uuid,
    destination uuid,
    return_url text not null,
    failure_reason text,
    landing_until timestamptz,
    expires_at timestamptz not null,
    completed_at timestamptz,
    failed_at timestamptz,
    created timestamptz not null,
    updated timestamptz not null
  )`,
  `create index destination_links_expiry on destination_links (expires_at)`,
  `create index destination_links_owner on destination_links (account_record)`,
  `create table grant_revocations (
    id uuid primary key,
    account_record uuid not null references account_records (id) on delete cascade,
    type text not null,
    "grant" bytea not null,
    attempt_at timestamptz not null,
    created timestamptz not null
  )`,
  `create index grant_revocations_owner on grant_revocations (account_record, attempt_at)`,
];

export async function up(db: QueryExecutorProvider): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
