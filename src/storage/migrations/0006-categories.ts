import { type Kysely, sql } from 'kysely';

/** The taxonomy of each account record: its categories, and which of them claims a provider category code. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // There as soon as the template was planted, and for good: whoever deletes every category is not given them again.
  await sql`
    create table category_trees (
      account_record uuid primary key references account_records (id) on delete cascade,
      seeded_at timestamptz not null
    )`.execute(db);
  await sql`
    create table categories (
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
    )`.execute(db);
  await sql`create index categories_owner on categories (account_record)`.execute(db);
  await sql`create index categories_parent on categories (parent)`.execute(db);
  // A code has one claimant at most, whoever claims it at the same moment.
  await sql`
    create table category_claims (
      account_record uuid not null,
      code text collate "C" not null,
      category uuid not null references categories (id) on delete cascade,
      primary key (account_record, code)
    )`.execute(db);
  await sql`create index category_claims_category on category_claims (category)`.execute(db);
}
