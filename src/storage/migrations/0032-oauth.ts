import { type QueryExecutorProvider, sql } from 'kysely';

/**
 * Apps that registered, what people let them do, and the tokens of it. Of tokens, codes and open requests SHA-256 is
 * kept; what an app registered and an open request are sealed.
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql`
    create table oauth_clients (
      id text primary key,
      network bytea not null,
      site bytea not null,
      metadata bytea not null,
      created timestamptz not null
    )`.execute(db);
  await sql`create index oauth_clients_network on oauth_clients (network, created)`.execute(db);
  await sql`create index oauth_clients_created on oauth_clients (created)`.execute(db);
  await sql`
    create table oauth_grants (
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
    )`.execute(db);
  await sql`create index oauth_grants_owner on oauth_grants (account_record, id desc)`.execute(db);
  await sql`create index oauth_grants_client on oauth_grants (client)`.execute(db);
  await sql`create index oauth_grants_end on oauth_grants (expires_at)`.execute(db);
  await sql`
    create table oauth_tokens (
      id bytea primary key,
      kind text not null,
      grant_id uuid not null references oauth_grants (id) on delete cascade,
      scopes text[] not null,
      generation integer not null,
      payload jsonb not null,
      expires_at timestamptz not null,
      consumed_at timestamptz,
      created timestamptz not null
    )`.execute(db);
  await sql`create index oauth_tokens_grant on oauth_tokens (grant_id)`.execute(db);
  await sql`create index oauth_tokens_end on oauth_tokens (expires_at)`.execute(db);
  await sql`
    create table oauth_interactions (
      id bytea primary key,
      user_id uuid not null references users (id) on delete cascade,
      payload bytea not null,
      expires_at timestamptz not null,
      created timestamptz not null
    )`.execute(db);
  await sql`create index oauth_interactions_user on oauth_interactions (user_id, created)`.execute(db);
  await sql`create index oauth_interactions_end on oauth_interactions (expires_at)`.execute(db);
}
