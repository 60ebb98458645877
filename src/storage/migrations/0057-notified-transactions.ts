import { type QueryExecutorProvider, sql } from 'kysely';

/** Of which transactions members were notified, as keyed MACs, so that two syncs of one account report each once. */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql`
    create table notified_transactions (
      account_record uuid not null,
      user_id uuid not null,
      mac bytea not null,
      created timestamptz not null,
      primary key (account_record, user_id, mac),
      foreign key (account_record, user_id) references memberships (account_record, user_id) on delete cascade
    )`.execute(db);
  await sql`create index notified_transactions_age on notified_transactions (created)`.execute(db);
}
