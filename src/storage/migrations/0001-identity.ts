import { type Kysely, sql } from 'kysely';

/** Account records and their API keys. Secrets are kept as SHA-256 only (design section 5). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table account_records (
      id uuid primary key,
      email text not null,
      plan text not null,
      status text not null,
      trial_ends_at timestamptz,
      limits jsonb,
      timezone text not null,
      caching boolean not null default true,
      created timestamptz not null,
      updated timestamptz not null
    )`.execute(db);
  await sql`create unique index account_records_email on account_records (lower(email))`.execute(db);
  await sql`
    create table api_keys (
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
    )`.execute(db);
  await sql`create index api_keys_owner on api_keys (account_record, id desc)`.execute(db);
}
