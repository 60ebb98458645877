import { type Kysely, sql } from 'kysely';

/** Rulesets, their rules in order, which syncs they are attached to, and how often each rule acted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table rulesets (
      id uuid primary key,
      account_record uuid not null references account_records (id) on delete cascade,
      name text not null,
      description text,
      enabled boolean not null,
      metadata jsonb,
      created timestamptz not null,
      updated timestamptz not null
    )`.execute(db);
  await sql`create index rulesets_owner on rulesets (account_record, id desc)`.execute(db);
  // Deferred: rules change places in one transaction, in whatever order.
  await sql`
    create table rules (
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
      constraint rules_position unique (ruleset, position) deferrable initially deferred
    )`.execute(db);
  // Apart from the rules, so that a run that counts never waits for somebody who edits them.
  await sql`
    create table rule_hits (
      rule uuid primary key references rules (id) on delete cascade,
      hits bigint not null default 0,
      last_hit_at timestamptz
    )`.execute(db);
  await sql`
    create table sync_rulesets (
      sync uuid not null references syncs (id) on delete cascade,
      ruleset uuid not null references rulesets (id) on delete cascade,
      position integer not null,
      primary key (sync, ruleset)
    )`.execute(db);
  await sql`create index sync_rulesets_ruleset on sync_rulesets (ruleset)`.execute(db);
}
