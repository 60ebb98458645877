import { browserName } from '../../platform/browser-names.ts';
import type { Clock } from '../../platform/clock.ts';
import { newRowId } from '../../platform/row-id.ts';
import type { Db } from '../../storage/database.ts';
import {
  choicesOf,
  deletePushDevice,
  deleteThreshold,
  insertThreshold,
  type NotificationThreshold,
  type PushDevice,
  pushDevicesOf,
  putChoice,
  putPushDevice,
  thresholdsOf,
} from '../../storage/notification-settings.ts';
import { type Notification, notificationsOf } from '../../storage/notifications.ts';
import { findSync, listSyncs } from '../../storage/syncs.ts';
import { lockUser } from '../../storage/users.ts';
import { type OwnerId, type RowId, rowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { Money } from '../../vocabulary/money.ts';
import {
  CHOSEN_KINDS,
  type ChosenKind,
  NOTIFICATION_KINDS,
  type NotificationChoice,
} from '../../vocabulary/notification-kinds.ts';
import { invalidParameter, missing } from '../../vocabulary/service-error.ts';
import type { Notifications } from './notifications.ts';
import type { PushService } from './push-service.ts';
import type { Unsubscription } from './unsubscribe-links.ts';

type User = RowId<'user'>;

/** A member of an account record, whose settings these are. */
export interface Member {
  readonly owner: OwnerId;
  readonly user: User;
}

/** Everything a person chose, and what they were notified of in the account record. */
export interface MemberNotifications {
  readonly choices: ReadonlyMap<ChosenKind, NotificationChoice>;
  readonly thresholds: readonly NotificationThreshold[];
  readonly devices: readonly PushDevice[];
  readonly sent: readonly Pick<Notification, 'kind' | 'created'>[];
}

/** How many syncs one can be chosen of. */
const SYNCS_SHOWN = 200;

/**
 * What each person is notified of, and where (docs/notifications.md). Choices and browsers are the person's in every
 * account record they share; amounts belong to one account record.
 */
export class NotificationSettings {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #limits: Limits;
  readonly #pushService: Pick<PushService, 'sealed'>;
  readonly #notifications: Pick<Notifications, 'raise'>;

  constructor(deps: {
    readonly db: Db;
    readonly clock: Clock;
    readonly limits: Limits;
    readonly pushService: Pick<PushService, 'sealed'>;
    readonly notifications: Pick<Notifications, 'raise'>;
  }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
    this.#limits = deps.limits;
    this.#pushService = deps.pushService;
    this.#notifications = deps.notifications;
  }

  async of({ owner, user }: Member): Promise<MemberNotifications> {
    const [choices, thresholds, devices, sent] = await Promise.all([
      choicesOf(this.#db, [user]),
      thresholdsOf(this.#db, owner, user),
      pushDevicesOf(this.#db, user),
      notificationsOf(this.#db, owner, user),
    ]);
    return {
      choices: new Map(CHOSEN_KINDS.map((kind) => [kind, choices.of(user, kind)])),
      thresholds,
      devices,
      sent,
    };
  }

  /** The syncs of transactions of the account record, by id. */
  async syncs(owner: OwnerId): Promise<ReadonlyMap<RowId<'sync'>, string>> {
    const { items } = await listSyncs(this.#db, owner, {}, { limit: SYNCS_SHOWN, after: null, before: null });
    return new Map(items.flatMap(({ id, name, type }) => (type === 'transactions' ? [[id, name]] : [])));
  }

  /** Whether the choices turn off a channel of a notification that warns the person of strangers. */
  async silences(user: User, choices: ReadonlyMap<ChosenKind, NotificationChoice>): Promise<boolean> {
    const present = await choicesOf(this.#db, [user]);
    return [...choices].some(([kind, { email, push }]) => {
      const before = present.of(user, kind);
      return NOTIFICATION_KINDS[kind].security && ((before.email && !email) || (before.push && !push));
    });
  }

  /** In place of everything the person chose before. */
  async choose(user: User, choices: ReadonlyMap<ChosenKind, NotificationChoice>): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      await lockUser(trx, user);
      for (const [kind, { email, push, details }] of choices)
        await putChoice(trx, { user_id: user, kind, email, push, details });
    });
  }

  /** Turns off e-mails of a kind; a person who is gone gets none in any case. */
  async unsubscribe({ user, kind }: Unsubscription): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      if ((await lockUser(trx, user)) === null) return;
      const { push, details } = (await choicesOf(trx, [user])).of(user, kind);
      await putChoice(trx, { user_id: user, kind, email: false, push, details });
    });
  }

  /**
   * From this amount on, a transaction is large: in one sync, or in all where `sync` is null. Replaces the
   * member's amount for the same sync and currency. Raises `resource_missing` and `parameter_invalid`.
   */
  async addThreshold(
    { owner, user }: Member,
    { sync, money }: { readonly sync: RowId<'sync'> | null; readonly money: Money },
  ): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      await lockUser(trx, user);
      if (sync !== null && (await findSync(trx, owner, sync)) === null) throw missing('sync');
      const present = await thresholdsOf(trx, owner, user);
      const same = present.filter((one) => one.sync === sync && one.currency === money.currency);
      for (const { id } of same) await deleteThreshold(trx, owner, user, id);
      if (present.length - same.length >= this.#limits.notification_thresholds) {
        const most = this.#limits.notification_thresholds;
        throw invalidParameter('amount', `There are ${most} amounts already; remove one first.`);
      }
      await insertThreshold(trx, {
        id: rowId('notification_threshold', newRowId(this.#clock)),
        account_record: owner,
        user_id: user,
        sync,
        currency: money.currency,
        amount: money.amount,
        created: new Date(this.#clock.now()),
      });
    });
  }

  /** Raises `resource_missing`. */
  async removeThreshold({ owner, user }: Member, id: RowId<'notification_threshold'>): Promise<void> {
    if (!(await deleteThreshold(this.#db, owner, user, id))) throw missing('amount');
  }

  /**
   * A browser that the person receives web push in from now on; if it was someone else's, it no longer is. Beyond the
   * limit, the one added first is removed. The person is notified of it elsewhere, unless it was theirs already. Raises
   * `parameter_invalid` for what is no subscription.
   */
  async addDevice(
    { owner, user }: Member,
    subscription: unknown,
    userAgent: string | undefined,
  ): Promise<void> {
    const id = rowId('push_device', newRowId(this.#clock));
    const sealed = this.#pushService.sealed(id, subscription);
    await this.#db.transaction().execute(async (trx) => {
      await lockUser(trx, user);
      const present = await pushDevicesOf(trx, user);
      const isNew = !present.some((one) => Buffer.compare(one.endpoint_hash, sealed.endpoint_hash) === 0);
      // Before the browser is added: to show it there would tell no one who does not know.
      if (isNew)
        await this.#notifications.raise(trx, owner, [{ kind: 'browser_added', subject: id, users: [user] }]);
      const created = new Date(this.#clock.now());
      await putPushDevice(trx, { id, user_id: user, ...sealed, browser: browserName(userAgent), created });
      const surplus = (await pushDevicesOf(trx, user)).slice(this.#limits.push_devices);
      for (const device of surplus) await deletePushDevice(trx, user, device.id);
    });
  }

  /** Raises `resource_missing`. */
  async removeDevice(user: User, id: RowId<'push_device'>): Promise<void> {
    if (!(await deletePushDevice(this.#db, user, id))) throw missing('browser');
  }
}
