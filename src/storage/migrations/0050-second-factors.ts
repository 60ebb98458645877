import { type QueryExecutorProvider, sql } from 'kysely';

/**
 * Secrets of authenticator apps, sealed, and what counts as one when the app is lost. `last_step` is the newest time step
 * whose code was used, so that none counts twice (RFC 6238, section 5.2).
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql`
    create table second_factors (
      id uuid primary key,
      user_id uuid not null unique references users (id) on delete cascade,
      secret bytea not null,
      last_step bigint not null,
      confirmed_at timestamptz,
      created timestamptz not null
    )`.execute(db);
  await sql`
    create table recovery_codes (
      code_hash bytea primary key,
      user_id uuid not null references users (id) on delete cascade,
      used_at timestamptz
    )`.execute(db);
  await sql`create index recovery_codes_by_user on recovery_codes (user_id)`.execute(db);
}
