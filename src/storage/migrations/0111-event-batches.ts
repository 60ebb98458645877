import { type QueryExecutorProvider, sql } from 'kysely';

/**
 * Events that were handed on together, in one row for each event destination (event-tables.ts). Deliveries recorded
 * before stay rows of `event_deliveries`, as do those that failed or are sent again.
 */
const STATEMENTS = [
  `create table event_batches (
    destination uuid not null references event_destinations (id) on delete cascade,
    first_position integer not null,
    account_record uuid not null,
    events uuid[] not null,
    size integer not null,
    due_at timestamptz not null,
    attempts text,
    primary key (destination, first_position)
  )`,
  `create index event_batches_due on event_batches (destination, due_at, first_position) where attempts is null`,
];

export async function up(db: QueryExecutorProvider): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
