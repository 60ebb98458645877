import { type QueryExecutorProvider, sql } from 'kysely';

/** Setup tokens of the bridge, and the apps that claimed them. Secrets are kept as SHA-256 only. */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql`
    create table simplefin_setup_tokens (
      id uuid primary key,
      account_record uuid not null references account_records (id) on delete cascade,
      name text not null,
      token_hash bytea not null unique,
      expires_at timestamptz not null,
      claimed_at timestamptz,
      app uuid,
      revoked_at timestamptz,
      created timestamptz not null,
      updated timestamptz not null
    )`.execute(db);
  await sql`create index simplefin_setup_tokens_owner on simplefin_setup_tokens (account_record, id desc)`.execute(
    db,
  );
  await sql`
    create table simplefin_apps (
      id uuid primary key,
      account_record uuid not null references account_records (id) on delete cascade,
      setup_token uuid not null,
      name text not null,
      credentials_hash bytea not null unique,
      last_used_at timestamptz,
      revoked_at timestamptz,
      created timestamptz not null,
      updated timestamptz not null
    )`.execute(db);
  await sql`create index simplefin_apps_owner on simplefin_apps (account_record, id desc)`.execute(db);
}
