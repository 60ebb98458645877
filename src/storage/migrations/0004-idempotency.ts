import { type Kysely, sql } from 'kysely';

/** Answers to requests that carried an Idempotency-Key, sealed, and the attempts under way (docs/decisions/0007). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table idempotency_keys (
      id bytea primary key,
      account_record uuid not null references account_records (id) on delete cascade,
      api_key uuid references api_keys (id) on delete cascade,
      connection uuid,
      holder uuid,
      lease_until timestamptz,
      answer bytea,
      created timestamptz not null,
      check ((answer is null) = (holder is not null and lease_until is not null))
    )`.execute(db);
  await sql`create index idempotency_keys_age on idempotency_keys (created)`.execute(db);
  await sql`create index idempotency_keys_lease on idempotency_keys (lease_until) where lease_until is not null`.execute(
    db,
  );
  await sql`create index idempotency_keys_owner on idempotency_keys (account_record)`.execute(db);
  await sql`create index idempotency_keys_connection on idempotency_keys (connection) where connection is not null`.execute(
    db,
  );
  await sql`create index idempotency_keys_api_key on idempotency_keys (api_key)`.execute(db);
}
