import { type QueryExecutorProvider, sql } from 'kysely';

/** OAuth clients and SimpleFIN apps: `app-tables.ts`. */
const STATEMENTS = [
  `create table oauth_clients (
    id text primary key,
    network bytea not null,
    site bytea not null,
    metadata bytea not null,
    created timestamptz not null
  )`,
  `create index oauth_clients_created on oauth_clients (created)`,
  `create index oauth_clients_network on oauth_clients (network, created)`,
  `create table oauth_grants (
    id uuid primary key,
    account_record uuid not null,
    user_id uuid not null,
    client text not null,
    client_name text,
    redirect_to text not null,
    resource text not null,
    scopes text[] not null,
    expires_at timestamptz not null,
    last_used_at timestamptz,
    revoked_at timestamptz,
    created timestamptz not null,
    updated timestamptz not null,
    foreign key (account_record, user_id) references memberships (account_record, user_id) on delete cascade
  )`,
  `create index oauth_grants_client on oauth_grants (client)`,
  `create index oauth_grants_end on oauth_grants (expires_at)`,
  `create index oauth_grants_owner on oauth_grants (account_record, id desc)`,
  `create table oauth_tokens (
    id bytea primary key,
    kind text not null,
    grant_id uuid not null references oauth_grants (id) on delete cascade,
    scopes text[] not null,
    generation integer not null,
    payload jsonb not null,
    expires_at timestamptz not null,
    consumed_at timestamptz,
    created timestamptz not null
  )`,
  `create index oauth_tokens_end on oauth_tokens (expires_at)`,
  `create index oauth_tokens_grant on oauth_tokens (grant_id)`,
  `create table oauth_interactions (
    id bytea primary key,
    user_id uuid not null references users (id) on delete cascade,
    payload bytea not null,
    expires_at timestamptz not null,
    created timestamptz not null
  )`,
  `create index oauth_interactions_end on oauth_interactions (expires_at)`,
  `create index oauth_interactions_user on oauth_interactions (user_id, created)`,
  `create table simplefin_setup_tokens (
    id uuid primary key,
    account_record uuid not null references account_records (id) on delete cascade,
    name text not null,
    token_hash bytea not null unique,
    expires_at timestamptz not null,
    claimed_at timestamptz,
    app uuid,
    revoked_at timestamptz,
    two_decimals boolean not null default false,
    leave_out_extra boolean not null default false,
    created timestamptz not null,
    updated timestamptz not null
  )`,
  `create index simplefin_setup_tokens_owner on simplefin_setup_tokens (account_record, id desc)`,
  `create table simplefin_apps (
    id uuid primary key,
    account_record uuid not null references account_records (id) on delete cascade,
    setup_token uuid not null,
    name text not null,
    credentials_hash bytea not null unique,
    last_used_at timestamptz,
    revoked_at timestamptz,
    two_decimals boolean not null default false,
    leave_out_extra boolean not null default false,
    created timestamptz not null,
    updated timestamptz not null
  )`,
  `create index simplefin_apps_owner on simplefin_apps (account_record, id desc)`,
];

export async function up(db: QueryExecutorProvider): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
