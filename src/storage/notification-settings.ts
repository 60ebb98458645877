import { type Selectable, sql } from 'kysely';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import {
  defaultChoice,
  type NotificationChoice,
  type NotificationKind,
} from '../vocabulary/notification-kinds.ts';
import type { Db, Trx } from './database.ts';
import type {
  NotificationChoicesTable,
  NotificationThresholdsTable,
  PushDevicesTable,
} from './notification-tables.ts';

export type NotificationThreshold = Selectable<NotificationThresholdsTable>;
export type PushDevice = Selectable<PushDevicesTable>;
type User = RowId<'user'>;
type Device = RowId<'push_device'>;

/** What people chose, by person and kind: for each kind one person has chosen, at most one row. */
export class NotificationChoices {
  readonly #chosen: ReadonlyMap<string, NotificationChoice>;

  constructor(rows: readonly Selectable<NotificationChoicesTable>[]) {
    this.#chosen = new Map(rows.map((row) => [`${row.user_id} ${row.kind}`, row]));
  }

  of(user: User, kind: NotificationKind): NotificationChoice {
    return this.#chosen.get(`${user} ${kind}`) ?? defaultChoice(kind);
  }
}

export async function choicesOf(db: Db, users: readonly User[]): Promise<NotificationChoices> {
  if (users.length === 0) return new NotificationChoices([]);
  const query = db.selectFrom('notification_choices').selectAll().where('user_id', 'in', users);
  return new NotificationChoices(await query.execute());
}

/** In place of what the person chose for the kind before. */
export async function putChoice(db: Db, choice: Selectable<NotificationChoicesTable>): Promise<void> {
  const { user_id: _, kind: __, ...chosen } = choice;
  await db
    .insertInto('notification_choices')
    .values(choice)
    .onConflict((conflict) => conflict.columns(['user_id', 'kind']).doUpdateSet(chosen))
    .execute();
}

/** A member's amounts in one account record: as many as `notification_thresholds` allows. */
export async function thresholdsOf(db: Db, owner: OwnerId, user: User): Promise<NotificationThreshold[]> {
  return db
    .selectFrom('notification_thresholds')
    .selectAll()
    .where('account_record', '=', owner)
    .where('user_id', '=', user)
    .orderBy('created')
    .orderBy('id')
    .execute();
}

/** Every member's amounts that apply to a sync of the account record. */
export async function thresholdsForSync(
  db: Db,
  owner: OwnerId,
  sync: RowId<'sync'>,
): Promise<NotificationThreshold[]> {
  return db
    .selectFrom('notification_thresholds')
    .selectAll()
    .where('account_record', '=', owner)
    .where(({ eb, or }) => or([eb('sync', 'is', null), eb('sync', '=', sync)]))
    .execute();
}

export async function insertThreshold(trx: Trx, threshold: NotificationThreshold): Promise<void> {
  await trx.insertInto('notification_thresholds').values(threshold).execute();
}

/** False if the member has no such amount. */
export async function deleteThreshold(
  db: Db,
  owner: OwnerId,
  user: User,
  id: RowId<'notification_threshold'>,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('notification_thresholds')
    .where('account_record', '=', owner)
    .where('user_id', '=', user)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}

/** The browsers of a person, the newest first: as many as `push_devices` allows. */
export async function pushDevicesOf(db: Db, user: User): Promise<PushDevice[]> {
  return db
    .selectFrom('push_devices')
    .selectAll()
    .where('user_id', '=', user)
    .orderBy('id', 'desc')
    .execute();
}

/** The ids of the browsers of these people, by person. */
export async function pushDeviceIds(
  db: Db,
  users: readonly User[],
): Promise<ReadonlyMap<User, readonly Device[]>> {
  if (users.length === 0) return new Map();
  const query = db.selectFrom('push_devices').select(['id', 'user_id']).where('user_id', 'in', users);
  const byUser = Map.groupBy(await query.execute(), (row) => row.user_id);
  return new Map([...byUser].map(([user, rows]) => [user, rows.map(({ id }) => id)]));
}

/** Those of the browsers with these ids that are the person's. */
export async function findPushDevices(db: Db, user: User, ids: readonly Device[]): Promise<PushDevice[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('push_devices')
    .selectAll()
    .where('user_id', '=', user)
    .where('id', 'in', ids)
    .execute();
}

/** In place of what the same browser was before, also if another person added it. */
export async function putPushDevice(trx: Trx, device: PushDevice): Promise<void> {
  await trx.deleteFrom('push_devices').where('endpoint_hash', '=', device.endpoint_hash).execute();
  await trx.insertInto('push_devices').values(device).execute();
}

/** False if the person has no such browser. */
export async function deletePushDevice(db: Db, user: User, id: Device): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('push_devices')
    .where('user_id', '=', user)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}

export async function deletePushDevicesOf(db: Db, user: User): Promise<void> {
  await db.deleteFrom('push_devices').where('user_id', '=', user).execute();
}

/** The value of the first process that asked: that of a second one is not stored. */
export async function firstVapidKey(db: Db, id: string, sealed: Uint8Array): Promise<Uint8Array> {
  await sql`insert into vapid_keys (id, private_key) values (${id}, ${sealed}) on conflict do nothing`.execute(
    db,
  );
  const query = db.selectFrom('vapid_keys').select('private_key').where('id', '=', id);
  return (await query.executeTakeFirstOrThrow()).private_key;
}
