import { type QueryExecutorProvider, sql } from 'kysely';

/**
 * Indexes without which what repeats, or a deletion, would read a whole table (docs/scale.md). Nearly all are of the few
 * rows that a sweep looks for.
 */
const STATEMENTS = [
  `create index account_records_removal on account_records (removal_asked_at) where removal_asked_at is not null`,
  `create index connections_cleaned on connections (cleaned_at) where cleaned_at is not null`,
  // In place of `connections_refresh`, in which every connection with a refused grant stayed due for as long as it lasted.
  `create index connections_due on connections (refresh_at)
    where revoked_at is null and (invalidated_at is null or login_lost_at is not null)`,
  `drop index connections_refresh`,
  `create index consents_expiry on consents (recorded_status, expires_at) where current`,
  `create index documents_kept on documents (delivered_at) where taken_at is not null and retain_days is not null`,
  `create index end_users_released on end_users (released_at) where released_at is not null`,
  `create index event_destinations_leased on event_destinations (lease_until) where lease_until is not null`,
  `create index invitations_end on invitations (expires_at)`,
  `create index link_sessions_end on link_sessions (expires_at) where settle_at is null`,
  `create index released_accounts_age on released_accounts (released_at)`,
  `create index web_sessions_seen on web_sessions (last_seen_at)`,
  // What refers to a deleted row is looked for by these.
  `create index api_keys_rotated on api_keys (rotated_from) where rotated_from is not null`,
  `create index documents_connection on documents (connection) where connection is not null`,
  `create index event_deliveries_destination on event_deliveries (destination)`,
];

export async function up(db: QueryExecutorProvider): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
