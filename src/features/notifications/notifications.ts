import type { Clock } from '../../platform/clock.ts';
import { newRowId } from '../../platform/row-id.ts';
import type { Db, Trx } from '../../storage/database.ts';
import { NOTIFICATION } from '../../storage/job-queues.ts';
import type { Jobs } from '../../storage/jobs.ts';
import { membersOf } from '../../storage/memberships.ts';
import { choicesOf, pushDeviceIds } from '../../storage/notification-settings.ts';
import {
  countNotifications,
  deleteNotificationsBefore,
  type Notification,
  putNotifications,
  type Raised,
} from '../../storage/notifications.ts';
import type { EventKind } from '../../vocabulary/event-kinds.ts';
import { type OwnerId, type RowId, rowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import {
  NOTIFICATION_KINDS,
  type NotificationKind,
  notificationOf,
} from '../../vocabulary/notification-kinds.ts';

const DAY_MS = 86_400_000;
/** Longer than any quiet time. */
const KEPT_MS = 30 * DAY_MS;

type User = RowId<'user'>;

/** Something to notify members of. */
export interface Occasion {
  readonly kind: NotificationKind;
  /** The row id of what it is about. */
  readonly subject: string;
  /** Only these members; by default all. */
  readonly users?: readonly User[];
  /** When the queue may send it, where it is sent at once before that; by default now. */
  readonly startAfter?: Date;
}

export interface NotificationsDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly jobs: Pick<Jobs, 'enqueue'>;
  /** Whether there is a mail server. */
  readonly mailed: boolean;
}

/** Decides who is to be notified of what (docs/notifications.md), and leaves the sending to the queue. */
export class Notifications {
  readonly #deps: NotificationsDependencies;

  constructor(deps: NotificationsDependencies) {
    this.#deps = deps;
  }

  /** Those of the events of which people are notified, in the transaction that hands them on. */
  async ofEvents(
    trx: Trx,
    owner: OwnerId,
    events: readonly { readonly kind: EventKind; readonly subject: string }[],
  ): Promise<void> {
    const occasions = events.flatMap(({ kind, subject }): Occasion[] => {
      const notified = notificationOf(kind);
      return notified === null ? [] : [{ kind: notified, subject }];
    });
    await this.raise(trx, owner, occasions);
  }

  /** That a person signed in with a browser in which they had not done so before. */
  async newDevice(owner: OwnerId, user: User, session: RowId<'web_session'>): Promise<void> {
    await this.#raised(owner, { kind: 'new_device', subject: session, users: [user] });
  }

  /** False if the person has no channel, asked a moment ago, or had as many notifications today as allowed. */
  async test(owner: OwnerId, user: User): Promise<boolean> {
    return (await this.#raised(owner, { kind: 'test', subject: user, users: [user] })).length > 0;
  }

  /**
   * Notes the occasions for every member who wants to know, at most once per member, kind and subject within the quiet
   * time of the kind, and for each member at most as many in a day as `notifications_per_day` allows, and as many
   * again of each kind about security; what is beyond that is dropped. Returns what will be sent.
   */
  async raise(trx: Trx, owner: OwnerId, occasions: readonly Occasion[]): Promise<readonly Raised[]> {
    if (occasions.length === 0) return [];
    const wanted = await this.#wanted(trx, owner, occasions);
    if (wanted.size === 0) return [];
    const rows = [...wanted.values()].map(({ row }) => row);
    const raised = await putNotifications(trx, rows);
    for (const one of raised) {
      const { startAfter } = wanted.get(keyOf(one))?.occasion ?? {};
      const when = startAfter === undefined ? { owner } : { owner, startAfter };
      await this.#deps.jobs.enqueue(trx, NOTIFICATION, { notification: one.id, owner }, when);
    }
    return raised;
  }

  /** Deletes those that were raised long ago, and of which transactions people were notified long ago. */
  async prune(): Promise<void> {
    const { db, clock } = this.#deps;
    await deleteNotificationsBefore(db, new Date(clock.now() - KEPT_MS));
  }

  #raised(owner: OwnerId, occasion: Occasion): Promise<readonly Raised[]> {
    return this.#deps.db.transaction().execute((trx) => this.raise(trx, owner, [occasion]));
  }

  /** By member, kind and subject; of several occasions of the same, the first counts. */
  async #wanted(
    trx: Trx,
    owner: OwnerId,
    occasions: readonly Occasion[],
  ): Promise<ReadonlyMap<string, Wanted>> {
    const { clock, limits, mailed } = this.#deps;
    const now = clock.now();
    const members = (await membersOf(trx, owner)).map((member) => member.user_id);
    const wanted = new Map<string, Wanted>();
    if (members.length === 0) return wanted;
    const choices = await choicesOf(trx, members);
    const devices = await pushDeviceIds(trx, members);
    const today = await countNotifications(trx, owner, members, {
      after: new Date(now - DAY_MS),
      before: new Date(now + DAY_MS),
    });
    const created = new Date(now);
    for (const user of members) {
      const used = new Map<Allowance, number>();
      const use = (allowance: Allowance, count: number) =>
        used.set(allowance, (used.get(allowance) ?? 0) + count);
      for (const row of today) if (row.user_id === user) use(allowanceOf(row.kind), row.count);
      for (const occasion of occasions) {
        const { kind, subject, users } = occasion;
        const allowance = allowanceOf(kind);
        if ((used.get(allowance) ?? 0) >= limits.notifications_per_day) continue;
        if (users?.includes(user) === false) continue;
        const choice = choices.of(user, kind);
        const email = mailed && choice.email;
        const reached = choice.push ? [...(devices.get(user) ?? [])] : [];
        if (!email && reached.length === 0) continue;
        const id = rowId('notification', newRowId(clock));
        const row = {
          id,
          account_record: owner,
          user_id: user,
          kind,
          subject,
          email,
          devices: reached,
          created,
        };
        if (wanted.has(keyOf(row))) continue;
        wanted.set(keyOf(row), { row, occasion });
        use(allowance, 1);
      }
    }
    return wanted;
  }
}

interface Wanted {
  readonly row: Notification;
  readonly occasion: Occasion;
}

/** What counts against `notifications_per_day` together. */
type Allowance = NotificationKind | 'other';

/** Kinds about security are counted separately: a stranger could otherwise use up the warnings of one by causing another. */
function allowanceOf(kind: NotificationKind): Allowance {
  return NOTIFICATION_KINDS[kind].security ? kind : 'other';
}

function keyOf({ user_id: user, kind, subject }: Raised): string {
  return `${user} ${kind} ${subject}`;
}
