import { type QueryExecutorProvider, sql } from 'kysely';

/** Statement files: `document-tables.ts`. */
const STATEMENTS = [
  `create table documents (
    id uuid primary key,
    account_record uuid not null references account_records (id) on delete cascade,
    connection uuid references connections (id) on delete cascade,
    account uuid,
    format text not null,
    bytes integer not null,
    content_mac text not null,
    name bytea not null,
    layout jsonb,
    retain_days integer,
    parts jsonb not null,
    taken_at timestamptz,
    undone_at timestamptz,
    delivered_at timestamptz,
    created timestamptz not null,
    updated timestamptz not null,
    unique (account_record, content_mac)
  )`,
  `create index documents_owner on documents (account_record, id desc)`,
  `create index documents_taken on documents (taken_at) where taken_at is not null`,
  `create table document_pieces (
    id uuid primary key,
    account_record uuid not null references account_records (id) on delete cascade,
    document uuid not null references documents (id) on delete cascade,
    account uuid,
    position integer not null,
    content bytea not null
  )`,
  `create index document_pieces_account on document_pieces (account) where account is not null`,
  `create index document_pieces_of on document_pieces (document, account, "position")`,
  `create index document_pieces_owner on document_pieces (account_record)`,
  `create table document_accounts (
    id uuid primary key references accounts (id) on delete cascade,
    account_record uuid not null references account_records (id) on delete cascade,
    live_account uuid,
    layout jsonb,
    forgotten_at timestamptz,
    updated timestamptz not null
  )`,
  `create index document_accounts_owner on document_accounts (account_record)`,
];

export async function up(db: QueryExecutorProvider): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
