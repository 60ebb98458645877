import { type QueryExecutorProvider, sql } from 'kysely';

const TABLES = ['sync_runs', 'consent_events', 'link_sessions', 'idempotency_keys'] as const;

/** Who is behind a run, a line of a consent's audit trail, a link session, and an idempotency key. */
export async function up(db: QueryExecutorProvider): Promise<void> {
  for (const table of TABLES) {
    await sql`alter table ${sql.table(table)} add column actor_kind text, add column actor_id text`.execute(
      db,
    );
  }
}
