import { type QueryExecutorProvider, sql } from 'kysely';

/** Grants that nobody uses any more, sealed, until their vendors have ended them. */
export async function up(db: QueryExecutorProvider): Promise<void> {
  // No reference to destinations: theirs is deleted in the same transaction, or was never made.
  await sql`
    create table grant_revocations (
      id uuid primary key,
      account_record uuid not null references account_records (id) on delete cascade,
      type text not null,
      "grant" bytea not null,
      attempt_at timestamptz not null,
      created timestamptz not null
    )`.execute(db);
  await sql`create index grant_revocations_owner on grant_revocations (account_record, attempt_at)`.execute(
    db,
  );
}
