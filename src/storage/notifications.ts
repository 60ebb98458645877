import { type Selectable, sql } from 'kysely';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import { NOTIFICATION_KINDS } from '../vocabulary/notification-kinds.ts';
import type { Db } from './database.ts';
import type { NotificationsTable } from './notification-tables.ts';

export type Notification = Selectable<NotificationsTable>;
type User = RowId<'user'>;

/** How many notifications each of these members was given since a moment; those who got none are left out. */
export async function countNotifications(
  db: Db,
  owner: OwnerId,
  users: readonly User[],
  since: Date,
): Promise<ReadonlyMap<User, number>> {
  const rows = await db
    .selectFrom('notifications')
    .select('user_id')
    .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('count'))
    .where('account_record', '=', owner)
    .where('user_id', 'in', users)
    .where('created', '>', since)
    .groupBy('user_id')
    .execute();
  return new Map(rows.map((row) => [row.user_id, row.count]));
}

/**
 * Notes that members are to be notified; no two of the rows may be of the same member, kind and subject. Answers those
 * that were: the others were notified of the same within the kind's quiet time.
 */
export async function putNotifications(db: Db, rows: readonly Notification[]): Promise<Raised[]> {
  const raised: Raised[] = [];
  for (let at = 0; at < rows.length; at += BATCH) {
    const answered = await db
      .insertInto('notifications')
      .values(rows.slice(at, at + BATCH))
      .onConflict((conflict) =>
        conflict
          .columns(['account_record', 'user_id', 'kind', 'subject'])
          .doUpdateSet((eb) => ({
            email: eb.ref('excluded.email'),
            devices: eb.ref('excluded.devices'),
            created: eb.ref('excluded.created'),
          }))
          .where(QUIET_IS_OVER),
      )
      .returning(['id', 'user_id', 'kind', 'subject'])
      .execute();
    raised.push(...answered);
  }
  return raised;
}

const BATCH = 500;
const QUIET_IS_OVER = sql<boolean>`notifications.created <= excluded.created - case excluded.kind ${sql.join(
  Object.entries(NOTIFICATION_KINDS).map(
    ([kind, { quietMinutes }]) => sql`when ${sql.lit(kind)} then ${sql.lit(quietMinutes)}`,
  ),
  sql` `,
)} else 0 end * interval '1 minute'`;

/** A notification that was noted, and waits to be sent. */
export type Raised = Pick<Notification, 'id' | 'user_id' | 'kind' | 'subject'>;

/** A notification that one sender alone has taken, and where it is still to go. */
export interface TakenNotification extends Omit<Notification, 'email'> {
  /** Where the mail goes; null if none is to be sent. */
  readonly email: string | null;
}

/**
 * Takes what is still to be sent of a notification, so that no one else sends it: after a death between here and
 * `putBack` it is lost rather than sent twice. Null if nothing is left, or its person is no longer a member.
 */
export async function takeNotification(db: Db, id: RowId<'notification'>): Promise<TakenNotification | null> {
  const { rows } = await sql<TakenNotification>`
    update notifications set email = false, devices = '{}'
    from (
      select waiting.id, case when waiting.email then users.email end as address, waiting.devices
      from notifications as waiting join users on users.id = waiting.user_id
      where waiting.id = ${id} and (waiting.email or cardinality(waiting.devices) > 0)
      for update of waiting
    ) as taken
    where notifications.id = taken.id
    returning notifications.id, account_record, user_id, kind, subject, created,
      taken.address as email, taken.devices`.execute(db);
  return rows[0] ?? null;
}

/** Puts back what did not reach anyone for now. One that was raised again meanwhile goes there in any case. */
export async function putBack(
  db: Db,
  { id, email, devices }: Pick<Notification, 'id' | 'email' | 'devices'>,
): Promise<void> {
  await sql`
    update notifications set email = email or ${email}, devices = (
      select coalesce(array_agg(distinct device), '{}') from unnest(devices || ${devices}::uuid[]) as device
    ) where id = ${id}`.execute(db);
}

/** What a member was notified of in the account record, the newest first. */
export async function notificationsOf(
  db: Db,
  owner: OwnerId,
  user: User,
): Promise<readonly Pick<Notification, 'kind' | 'created'>[]> {
  return db
    .selectFrom('notifications')
    .select(['kind', 'created'])
    .where('account_record', '=', owner)
    .where('user_id', '=', user)
    .orderBy('created', 'desc')
    .execute();
}

/** Deletes those that were raised before a moment. */
export async function deleteNotificationsBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('notifications').where('created', '<', before).execute();
}
