import { type QueryExecutorProvider, sql } from 'kysely';

/** What processes share: `service-tables.ts` and `job-queues.ts`. */
const STATEMENTS = [
  `create table jobs (
    id uuid primary key,
    queue text not null,
    account_record uuid not null,
    payload jsonb not null,
    joining uuid,
    due_at timestamptz not null,
    failures integer not null default 0,
    fence integer not null default 0,
    lease_until timestamptz,
    request_id text,
    unique (queue, joining)
  )`,
  `create index jobs_due on jobs (queue, account_record, due_at)`,
  `create table worker_processes (
    id uuid primary key,
    seen_at timestamptz not null
  )`,
  `create table idempotency_keys (
    id bytea primary key,
    account_record uuid not null references account_records (id) on delete cascade,
    api_key uuid references api_keys (id) on delete cascade,
    connection uuid,
    holder uuid,
    lease_until timestamptz,
    answer bytea,
    actor_kind text not null,
    actor_id text,
    created timestamptz not null,
    constraint idempotency_keys_check check ((answer is null) = ((holder is not null) and (lease_until is not null)))
  )`,
  `create index idempotency_keys_age on idempotency_keys (created)`,
  `create index idempotency_keys_api_key on idempotency_keys (api_key)`,
  `create index idempotency_keys_connection on idempotency_keys (connection) where connection is not null`,
  `create index idempotency_keys_lease on idempotency_keys (lease_until) where lease_until is not null`,
  `create index idempotency_keys_owner on idempotency_keys (account_record)`,
  `create unlogged table rate_counters (
    key character varying(255) primary key,
    points integer not null default 0,
    expire bigint
  )`,
  `create unlogged table heavy_slots (
    caller text primary key,
    leases jsonb not null,
    until timestamptz not null
  )`,
  `create table lasting_quotas (
    caller text primary key,
    leases jsonb not null,
    until timestamptz not null
  )`,
  `create table retained_mac_keys (
    id text primary key,
    subkey bytea not null
  )`,
  `create table sandbox_place (
    id text primary key,
    place text not null,
    seen_at timestamptz not null
  )`,
];

export async function up(db: QueryExecutorProvider): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
