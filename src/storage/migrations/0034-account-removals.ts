import { type QueryExecutorProvider, sql } from 'kysely';

/**
 * When somebody asked to delete the account record: from then on nobody opens it, and what is left is taken away. The
 * indexes are for the cascades of that deletion, which would otherwise read the rows of every owner.
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql`alter table account_records add column removal_asked_at timestamptz`.execute(db);
  await sql`create index consent_events_owner on consent_events (account_record)`.execute(db);
  await sql`create index sync_runs_owner on sync_runs (account_record)`.execute(db);
  await sql`create index end_users_owner on end_users (account_record)`.execute(db);
  await sql`create index invitations_accepted_by on invitations (accepted_by) where accepted_by is not null`.execute(
    db,
  );
  await sql`create index invitations_invited_by on invitations (invited_by) where invited_by is not null`.execute(
    db,
  );
  await sql`create index passkey_challenges_user on passkey_challenges (user_id) where user_id is not null`.execute(
    db,
  );
}
