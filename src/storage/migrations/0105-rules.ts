import { type QueryExecutorProvider, sql } from 'kysely';

/** Categories, rules and saved views: `rule-tables.ts`. */
const STATEMENTS = [
  `create table category_trees (
    account_record uuid primary key references account_records (id) on delete cascade,
    seeded_at timestamptz not null,
    version integer not null default 0
  )`,
  `create table categories (
    id uuid primary key,
    account_record uuid not null references account_records (id) on delete cascade,
    parent uuid references categories (id),
    name text not null,
    icon text not null,
    color text not null,
    position integer not null,
    archived boolean not null,
    metadata jsonb,
    created timestamptz not null,
    updated timestamptz not null
  )`,
  `create index categories_owner on categories (account_record)`,
  `create index categories_parent on categories (parent)`,
  `create table category_claims (
    account_record uuid not null,
    code text collate "C" not null,
    category uuid not null references categories (id) on delete cascade,
    primary key (account_record, code)
  )`,
  `create index category_claims_category on category_claims (category)`,
  `create table category_assignments (
    id uuid primary key,
    account_record uuid not null references account_records (id) on delete cascade,
    account uuid not null references accounts (id) on delete cascade,
    category uuid not null references categories (id) on delete cascade,
    row_id text not null,
    created timestamptz not null,
    unique (account_record, row_id)
  )`,
  `create index category_assignments_account on category_assignments (account)`,
  `create index category_assignments_category on category_assignments (category)`,
  `create index category_assignments_owner on category_assignments (account_record, id desc)`,
  `create table rulesets (
    id uuid primary key,
    account_record uuid not null references account_records (id) on delete cascade,
    name text not null,
    description text,
    enabled boolean not null,
    metadata jsonb,
    created timestamptz not null,
    updated timestamptz not null
  )`,
  `create index rulesets_owner on rulesets (account_record, id desc)`,
  `create table rules (
    id uuid primary key,
    account_record uuid not null,
    ruleset uuid not null references rulesets (id) on delete cascade,
    position integer not null,
    name text,
    enabled boolean not null,
    conditions jsonb,
    actions jsonb not null,
    stop boolean not null,
    created timestamptz not null,
    updated timestamptz not null,
    constraint rules_position unique (ruleset, "position") deferrable initially deferred
  )`,
  `create table rule_hits (
    rule uuid primary key references rules (id) on delete cascade,
    hits bigint not null default 0,
    last_hit_at timestamptz
  )`,
  `create table sync_rulesets (
    sync uuid not null references syncs (id) on delete cascade,
    ruleset uuid not null references rulesets (id) on delete cascade,
    position integer not null,
    primary key (sync, ruleset)
  )`,
  `create index sync_rulesets_ruleset on sync_rulesets (ruleset)`,
  `create table saved_views (
    id uuid primary key,
    account_record uuid not null references account_records (id) on delete cascade,
    name text not null,
    query text not null,
    created timestamptz not null,
    updated timestamptz not null
  )`,
  `create index saved_views_owner on saved_views (account_record, id desc)`,
];

export async function up(db: QueryExecutorProvider): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
