import { type QueryExecutorProvider, sql } from 'kysely';

/** People, account records and how they are signed in to: `identity-tables.ts`. */
const STATEMENTS = [
  `create table users (
    id uuid primary key,
    email text not null,
    email_normalised text not null unique,
    password_hash text not null,
    operator boolean not null default false,
    created timestamptz not null,
    updated timestamptz not null
  )`,
  `create table account_records (
    id uuid primary key,
    email text not null,
    plan text not null,
    status text not null,
    trial_ends_at timestamptz,
    limits jsonb,
    timezone text not null,
    caching boolean not null default true,
    removal_asked_at timestamptz,
    name text,
    created timestamptz not null,
    updated timestamptz not null
  )`,
  `create unique index account_records_email on account_records (lower(email))`,
  `create table memberships (
    account_record uuid not null references account_records (id) on delete cascade,
    user_id uuid not null references users (id) on delete cascade,
    role text not null,
    last_chosen_at timestamptz,
    created timestamptz not null,
    updated timestamptz not null,
    primary key (account_record, user_id)
  )`,
  `create index memberships_user on memberships (user_id)`,
  `create table api_keys (
    id uuid primary key,
    account_record uuid not null references account_records (id) on delete cascade,
    name text not null,
    secret_hash bytea not null unique,
    prefix text not null,
    scopes text[] not null,
    legacy boolean not null,
    allowed_ips text[],
    expires_at timestamptz,
    expiring_at timestamptz,
    last_used_at timestamptz,
    rotated_from uuid references api_keys (id) on delete set null,
    revoked_at timestamptz,
    metadata jsonb,
    created timestamptz not null,
    updated timestamptz not null
  )`,
  `create index api_keys_owner on api_keys (account_record, id desc)`,
  `create table key_checks (
    id text primary key,
    sealed bytea not null
  )`,
  `create table invitations (
    id uuid primary key,
    account_record uuid not null references account_records (id) on delete cascade,
    email text not null,
    email_normalised text not null,
    role text not null,
    token_hash bytea not null unique,
    expires_at timestamptz not null,
    accepted_at timestamptz,
    accepted_by uuid references users (id) on delete set null,
    revoked_at timestamptz,
    invited_by uuid references users (id) on delete cascade,
    created timestamptz not null,
    updated timestamptz not null
  )`,
  `create index invitations_accepted_by on invitations (accepted_by) where accepted_by is not null`,
  `create index invitations_invited_by on invitations (invited_by) where invited_by is not null`,
  `create index invitations_owner on invitations (account_record, id desc)`,
  `create table web_sessions (
    id uuid primary key,
    secret_hash bytea not null unique,
    user_id uuid not null references users (id) on delete cascade,
    account_record uuid not null,
    last_seen_at timestamptz not null,
    expires_at timestamptz not null,
    browser text,
    created timestamptz not null,
    foreign key (account_record, user_id) references memberships (account_record, user_id) on delete cascade
  )`,
  `create index web_sessions_end on web_sessions (expires_at)`,
  `create index web_sessions_user on web_sessions (user_id, last_seen_at)`,
  `create table one_time_links (
    id uuid primary key,
    kind text not null,
    token_hash bytea not null unique,
    user_id uuid references users (id) on delete cascade,
    expires_at timestamptz not null,
    used_at timestamptz,
    created timestamptz not null
  )`,
  `create index one_time_links_end on one_time_links (expires_at)`,
  `create index one_time_links_user on one_time_links (user_id)`,
  `create table passkeys (
    id uuid primary key,
    user_id uuid not null references users (id) on delete cascade,
    credential_id text not null unique,
    public_key bytea not null,
    counter bigint not null,
    transports text[] not null,
    name text not null,
    last_used_at timestamptz,
    created timestamptz not null
  )`,
  `create index passkeys_user on passkeys (user_id)`,
  `create table passkey_challenges (
    challenge_hash bytea primary key,
    user_id uuid references users (id) on delete cascade,
    expires_at timestamptz not null
  )`,
  `create index passkey_challenges_end on passkey_challenges (expires_at)`,
  `create index passkey_challenges_user on passkey_challenges (user_id) where user_id is not null`,
  `create table second_factors (
    id uuid primary key,
    user_id uuid not null unique references users (id) on delete cascade,
    secret bytea not null,
    last_step bigint not null,
    confirmed_at timestamptz,
    created timestamptz not null
  )`,
  `create table recovery_codes (
    code_hash bytea primary key,
    user_id uuid not null references users (id) on delete cascade,
    used_at timestamptz
  )`,
  `create index recovery_codes_by_user on recovery_codes (user_id)`,
  `create table audit_events (
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
  )`,
  `create index audit_events_by_age on audit_events (created)`,
  `create index audit_events_by_day on audit_events (account_record, day, grouped)`,
  `create index audit_events_by_owner on audit_events (account_record, id)`,
  `create unique index audit_events_grouped on audit_events (account_record, day, kind, network) where grouped`,
];

export async function up(db: QueryExecutorProvider): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
