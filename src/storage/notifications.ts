import { type Selectable, sql } from 'kysely';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import { NOTIFICATION_KINDS, type NotificationKind } from '../vocabulary/notification-kinds.ts';
import type { Db, Trx } from './database.ts';
import type { NotificationsTable, NotifiedTransactionsTable } from './notification-tables.ts';

export type Notification = Selectable<NotificationsTable>;
type User = RowId<'user'>;

/**
 * How many notifications of each kind each of these members was given between two moments, without zeros. The second is after now, so that those which a clock noted that was ahead count, but not for as long as it was ahead.
 */
export async function countNotifications(
  db: Db,
  owner: OwnerId,
  users: readonly User[],
  { after, before }: { readonly after: Date; readonly before: Date },
): Promise<readonly { readonly user_id: User; readonly kind: NotificationKind; readonly count: number }[]> {
  return db
    .selectFrom('notifications')
    .select(['user_id', 'kind'])
    .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('count'))
    .where('account_record', '=', owner)
    .where('user_id', 'in', users)
    .where('created', '>', after)
    .where('created', '<', before)
    .groupBy(['user_id', 'kind'])
    .execute();
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
const QUIET = sql`case excluded.kind ${sql.join(
  Object.entries(NOTIFICATION_KINDS).map(
    ([kind, { quietMinutes }]) => sql`when ${sql.lit(kind)} then ${sql.lit(quietMinutes)}`,
  ),
  sql` `,
)} else 0 end * interval '1 minute'`;
/** Also where a clock was ahead when it was noted, and has been set right since. */
const QUIET_IS_OVER = sql<boolean>`(notifications.created <= excluded.created - ${QUIET}
  or notifications.created > excluded.created + ${QUIET})`;

/** A notification that was noted, and waits to be sent. */
export type Raised = Pick<Notification, 'id' | 'user_id' | 'kind' | 'subject'>;

/** A notification of which something is still to be sent; null if nothing is, or its person is no longer a member. */
export async function waitingNotification(
  db: Db,
  id: RowId<'notification'>,
): Promise<Omit<Notification, 'email' | 'devices'> | null> {
  const found = await db
    .selectFrom('notifications')
    .select(['id', 'account_record', 'user_id', 'kind', 'subject', 'created'])
    .where('id', '=', id)
    .where(sql<boolean>`(email or cardinality(devices) > 0)`)
    .executeTakeFirst();
  return found ?? null;
}

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

/** That a member was notified of a transaction. */
export type NotifiedTransaction = Selectable<NotifiedTransactionsTable>;

/** Notes of which transactions members are notified, and answers those of which they were not before. */
export async function markNotified(
  trx: Trx,
  marks: readonly NotifiedTransaction[],
): Promise<readonly Pick<NotifiedTransaction, 'user_id' | 'mac'>[]> {
  // In one order, so that two syncs that end at the same time wait for each other and never in a circle.
  const ordered = marks.toSorted(
    (a, b) => a.user_id.localeCompare(b.user_id) || Buffer.compare(a.mac, b.mac),
  );
  const added: Pick<NotifiedTransaction, 'user_id' | 'mac'>[] = [];
  for (let at = 0; at < ordered.length; at += BATCH) {
    const answered = await trx
      .insertInto('notified_transactions')
      .values(ordered.slice(at, at + BATCH))
      .onConflict((conflict) => conflict.columns(['account_record', 'user_id', 'mac']).doNothing())
      .returning(['user_id', 'mac'])
      .execute();
    added.push(...answered);
  }
  return added;
}

/** Takes back that a member was notified of these transactions. */
export async function unmarkNotified(
  trx: Trx,
  owner: OwnerId,
  user: User,
  macs: readonly Uint8Array[],
): Promise<void> {
  if (macs.length === 0) return;
  await trx
    .deleteFrom('notified_transactions')
    .where('account_record', '=', owner)
    .where('user_id', '=', user)
    .where('mac', 'in', macs)
    .execute();
}

/** Deletes what was noted before a moment. */
export async function deleteNotificationsBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('notifications').where('created', '<', before).execute();
  await db.deleteFrom('notified_transactions').where('created', '<', before).execute();
}
