import { type Selectable, sql } from 'kysely';
import type { AuditKind } from '../vocabulary/audit-kinds.ts';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { Page, PageRequest } from '../vocabulary/paging.ts';
import type { Db } from './database.ts';
import type { AuditEventsTable } from './identity-tables.ts';
import { selectPage } from './pages.ts';

export type AuditEvent = Selectable<AuditEventsTable>;
/**
 * How many events of the day are listed one by one, and how many networks besides `network` its grouped events came
 * from.
 */
export async function auditEventsOfDay(
  db: Db,
  owner: OwnerId,
  day: number,
  network: string,
): Promise<{ readonly single: number; readonly networks: number }> {
  const { rows } = await sql<{ single: number; networks: number }>`
    select
      (select count(*)::integer from audit_events
        where account_record = ${owner} and day = ${day} and not grouped) as single,
      (select count(distinct network)::integer from audit_events
        where account_record = ${owner} and day = ${day} and grouped and network not in ('', ${network})) as networks`.execute(
    db,
  );
  return rows[0] ?? { single: 0, networks: 0 };
}

/**
 * Records an event; one that is grouped is added to the count of the row for its day, kind and network, if there is
 * one. The actor's name is looked up: a person's by `user` if that is known, else by their session.
 */
export async function insertAuditEvent(
  db: Db,
  event: Omit<AuditEvent, 'occurrences' | 'actor_name'>,
  user: RowId<'user'> | null,
): Promise<void> {
  const name = sql<string | null>`coalesce(
    (select email from users where id = ${user}::uuid),
    ${nameOf(event)})`;
  await db
    .insertInto('audit_events')
    .values({ ...event, actor_name: name })
    .onConflict((conflict) =>
      conflict
        .columns(['account_record', 'day', 'kind', 'network'])
        .where('grouped', '=', true)
        .doUpdateSet((set) => ({
          occurrences: sql<number>`audit_events.occurrences + 1`,
          last_at: set.ref('excluded.last_at'),
          browser: set.ref('excluded.browser'),
          detail: set.ref('excluded.detail'),
        })),
    )
    .execute();
}

/** The actor's name, as SQL. */
function nameOf({ actor_kind: kind, actor_id: id }: Pick<AuditEvent, 'actor_kind' | 'actor_id'>) {
  switch (kind) {
    case 'api_key':
      return sql`(select name from api_keys where id = ${id}::uuid)`;
    case 'oauth_token':
      return sql`(select coalesce(client_name, client) from oauth_grants where id = ${id}::uuid)`;
    case 'bridge_app':
      return sql`(select name from simplefin_apps where id = ${id}::uuid)`;
    case 'session':
      return sql`(select email from web_sessions join users on users.id = user_id where web_sessions.id = ${id}::uuid)`;
    default:
      return sql`null`;
  }
}

/** Newest first. `kind`: only events of this kind; null for all. */
export function listAuditEvents(
  db: Db,
  owner: OwnerId,
  kind: AuditKind | null,
  page: PageRequest,
): Promise<Page<AuditEvent>> {
  let query = db.selectFrom('audit_events').selectAll().where('account_record', '=', owner);
  if (kind !== null) query = query.where('kind', '=', kind);
  return selectPage(query, page);
}

/** Returns how many of the oldest were deleted: at most `limit`. */
export async function deleteAuditEventsBefore(db: Db, before: Date, limit: number): Promise<number> {
  const oldest = db
    .selectFrom('audit_events')
    .select('id')
    .where('created', '<', before)
    .orderBy('created')
    .limit(limit);
  const { numDeletedRows } = await db
    .deleteFrom('audit_events')
    .where('id', 'in', oldest)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
