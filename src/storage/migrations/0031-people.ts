import { type QueryExecutorProvider, sql } from 'kysely';

/** People who sign in, the account records they share, and what lets them in. Secrets are kept as SHA-256 only. */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql`
    create table users (
      id uuid primary key,
      email text not null,
      email_normalised text not null unique,
      password_hash text not null,
      created timestamptz not null,
      updated timestamptz not null
    )`.execute(db);
  await sql`
    create table memberships (
      account_record uuid not null references account_records (id) on delete cascade,
      user_id uuid not null references users (id) on delete cascade,
      role text not null,
      created timestamptz not null,
      updated timestamptz not null,
      primary key (account_record, user_id)
    )`.execute(db);
  await sql`create index memberships_user on memberships (user_id)`.execute(db);
  await sql`
    create table web_sessions (
      id uuid primary key,
      secret_hash bytea not null unique,
      user_id uuid not null references users (id) on delete cascade,
      account_record uuid not null,
      created timestamptz not null,
      last_seen_at timestamptz not null,
      expires_at timestamptz not null,
      foreign key (account_record, user_id) references memberships (account_record, user_id) on delete cascade
    )`.execute(db);
  await sql`create index web_sessions_user on web_sessions (user_id, last_seen_at)`.execute(db);
  await sql`create index web_sessions_end on web_sessions (expires_at)`.execute(db);
  await sql`
    create table passkeys (
      id uuid primary key,
      user_id uuid not null references users (id) on delete cascade,
      credential_id text not null unique,
      public_key bytea not null,
      counter bigint not null,
      transports text[] not null,
      name text not null,
      last_used_at timestamptz,
      created timestamptz not null
    )`.execute(db);
  await sql`create index passkeys_user on passkeys (user_id)`.execute(db);
  await sql`
    create table passkey_challenges (
      challenge_hash bytea primary key,
      user_id uuid references users (id) on delete cascade,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index passkey_challenges_end on passkey_challenges (expires_at)`.execute(db);
  await sql`
    create table one_time_links (
      id uuid primary key,
      kind text not null,
      token_hash bytea not null unique,
      user_id uuid references users (id) on delete cascade,
      expires_at timestamptz not null,
      used_at timestamptz,
      created timestamptz not null
    )`.execute(db);
  await sql`create index one_time_links_user on one_time_links (user_id)`.execute(db);
  await sql`create index one_time_links_end on one_time_links (expires_at)`.execute(db);
  await sql`
    create table invitations (
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
    )`.execute(db);
  await sql`create index invitations_owner on invitations (account_record, id desc)`.execute(db);
}
