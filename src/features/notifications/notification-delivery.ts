import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { type Mailer, mayMailAgain } from '../../platform/mailer.ts';
import { findAccountRecord } from '../../storage/account-records.ts';
import { findConnection } from '../../storage/connections.ts';
import { currentConsents } from '../../storage/consents.ts';
import type { Db } from '../../storage/database.ts';
import { choicesOf, findPushDevices } from '../../storage/notification-settings.ts';
import {
  putBack,
  type TakenNotification,
  takeNotification,
  waitingNotification,
} from '../../storage/notifications.ts';
import { findSync } from '../../storage/syncs.ts';
import { findWebSession } from '../../storage/web-sessions.ts';
import { type OwnerId, type RowId, rowId } from '../../vocabulary/ids.ts';
import { isTimeZone } from '../../vocabulary/moments.ts';
import {
  NOTIFICATION_KINDS,
  type NotificationFacts,
  notificationWords,
  notifiedRecord,
} from '../../vocabulary/notification-kinds.ts';
import type { PushMessage, PushOutcome, PushService } from './push-service.ts';
import type { UnsubscribeLinks } from './unsubscribe-links.ts';

/** When a notification that could not be sent is given up. */
const GIVEN_UP_MS = 86_400_000;
const LEAST_WAIT_MS = 60_000;
const MOST_WAIT_MS = 3_600_000;
/** Of the runs whose notifications are sent at once, and of those for one account record. */
const MOST_AT_ONCE = 4;
const MOST_AT_ONCE_PER_OWNER = 1;
/** How long those of one run are sent at once, and the queue leaves them alone; what is left then is the queue's. */
export const AT_ONCE_MS = 120_000;

type NotificationId = RowId<'notification'>;
type DeviceId = RowId<'push_device'>;

export interface NotificationDeliveryDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
  /** Null without a mail server. */
  readonly mailer: Pick<Mailer, 'send'> | null;
  readonly pushService: Pick<PushService, 'send'>;
  readonly unsubscribeLinks: UnsubscribeLinks;
  /** The address of the web application, without a trailing slash. */
  readonly appUrl: string;
}

/** Sends notifications by e-mail and web push. What one says is made when it is sent, and stored nowhere. */
export class NotificationDelivery {
  readonly #deps: NotificationDeliveryDependencies;
  readonly #atOnce = new Map<Promise<void>, OwnerId>();
  readonly #stopping = new AbortController();

  constructor(deps: NotificationDeliveryDependencies) {
    this.#deps = deps;
  }

  /**
   * Sends what is still to be sent of a notification, with what is known from the database for those who asked for
   * details. Answers when to try again where a server was not reached or asked to wait, or null.
   */
  async work(id: NotificationId, signal: AbortSignal): Promise<Date | null> {
    return this.#send(id, null, signal);
  }

  /** Whether `sendAtOnce` would take notifications of this account record now. */
  hasRoom(owner: OwnerId): boolean {
    const owned = [...this.#atOnce.values()].filter((one) => one === owner).length;
    return (
      !this.#stopping.signal.aborted && this.#atOnce.size < MOST_AT_ONCE && owned < MOST_AT_ONCE_PER_OWNER
    );
  }

  /**
   * Begins to send notifications whose details are in memory alone, without waiting for it. What does not reach anyone
   * is left to the queue, which says it without details.
   */
  sendAtOnce(
    owner: OwnerId,
    notifications: readonly { readonly id: NotificationId; readonly facts: NotificationFacts }[],
  ): void {
    if (!this.hasRoom(owner)) return;
    const { clock } = this.#deps;
    const { signal } = this.#stopping;
    const until = clock.now() + AT_ONCE_MS;
    const work = async (): Promise<void> => {
      for (const { id, facts } of notifications) {
        if (signal.aborted || clock.now() >= until) return;
        await this.#send(id, facts, signal);
      }
    };
    const sending = work()
      .catch((error: unknown) => this.#deps.log.warn('Failed to send a notification at once.', {}, error))
      .finally(() => this.#atOnce.delete(sending));
    this.#atOnce.set(sending, owner);
  }

  /** Waits for what is being sent at once; nothing more is begun. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#atOnce.keys());
  }

  async #send(
    id: NotificationId,
    known: NotificationFacts | null,
    signal: AbortSignal,
  ): Promise<Date | null> {
    const { db, clock, log } = this.#deps;
    // Taken last: until then an error leaves it to the next attempt, and from then on it is lost rather than sent twice.
    const waiting = await waitingNotification(db, id);
    if (waiting === null) return null;
    const { kind, user_id: user, account_record: owner } = waiting;
    // It may have been turned off since.
    const choice = (await choicesOf(db, [user])).of(user, kind);
    const row = NOTIFICATION_KINDS[kind];
    const facts = choice.details || row.alwaysDetailed ? (known ?? (await this.#facts(waiting))) : null;
    const words = notificationWords(kind, facts);
    const record = notifiedRecord(kind, (await findAccountRecord(db, owner))?.name ?? null);
    const url = `${this.#deps.appUrl}${row.path}`;
    const title = record === null ? words.subject : `${record}: ${words.subject}`;
    const message = { title, body: words.text, url, tag: id.replaceAll('-', '') };
    const taken = await takeNotification(db, id);
    if (taken === null) return null;
    const email = choice.email && taken.email !== null ? taken.email : null;
    const [mailAgain, pushes] = await Promise.all([
      email === null ? false : this.#mail(taken, email, { ...words, record }, url),
      this.#push(choice.push ? taken.devices : [], message, taken, signal),
    ]);
    const waits = [...pushes.values()];
    if (!mailAgain && waits.length === 0) return null;
    // A clock that was ahead when it was raised gives it no longer life.
    const age = Math.abs(clock.now() - taken.created.getTime());
    if (age > GIVEN_UP_MS) {
      log.warn('Gave up sending a notification.', { account_record: owner, kind });
      return null;
    }
    await putBack(db, { id, email: mailAgain, devices: [...pushes.keys()] });
    const wait = Math.min(Math.max(age / 2, LEAST_WAIT_MS), MOST_WAIT_MS);
    return new Date(clock.now() + Math.max(wait, ...waits));
  }

  /** Whether it may be tried again. */
  async #mail(
    { account_record: owner, user_id: user, kind }: TakenNotification,
    to: string,
    {
      subject,
      text,
      record,
    }: { readonly subject: string; readonly text: string; readonly record: string | null },
    url: string,
  ): Promise<boolean> {
    const { mailer, log, appUrl, unsubscribeLinks } = this.#deps;
    const settings = `${appUrl}/settings/notifications`;
    const off = kind === 'test' ? null : unsubscribeLinks.address(user, kind);
    const named = record === null ? '' : `, ${record}`;
    const about = record === null ? '' : `Account record: ${record}\n\n`;
    const ends = off === null ? '' : `Turn off mails of this kind: ${off}\n`;
    try {
      await mailer?.send({
        to,
        subject: `Tributary${named}: ${subject}`,
        text: `${about}${text}\n\n${url}\n\nChoose what you are notified of: ${settings}\n${ends}`,
        headers: {
          'Auto-Submitted': 'auto-generated',
          ...(off !== null && {
            'List-Unsubscribe': `<${off}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          }),
        },
      });
      return false;
    } catch (error) {
      log.warn('Failed to mail a notification.', { account_record: owner, kind }, error);
      return mayMailAgain(error);
    }
  }

  /** The browsers that may be tried again, and after how many ms. */
  async #push(
    ids: readonly DeviceId[],
    message: PushMessage,
    { user_id: user, account_record: owner }: TakenNotification,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<DeviceId, number>> {
    const { db, log, pushService } = this.#deps;
    const devices = await findPushDevices(db, user, ids);
    const outcomes = await Promise.all(
      devices.map(
        async (device): Promise<readonly [DeviceId, PushOutcome]> => [
          device.id,
          await pushService.send(device, message, { owner, signal }).catch((error: unknown) => {
            log.warn('Failed to push a notification.', { account_record: owner }, error);
            return { again: 0 };
          }),
        ],
      ),
    );
    return new Map(
      outcomes.flatMap(([id, outcome]) => (typeof outcome === 'string' ? [] : [[id, outcome.again]])),
    );
  }

  /** What the database knows of the subject; null if it is gone, or only a run knew it. */
  async #facts({
    account_record: owner,
    user_id: user,
    kind,
    subject,
  }: Pick<
    TakenNotification,
    'account_record' | 'user_id' | 'kind' | 'subject'
  >): Promise<NotificationFacts | null> {
    const { db } = this.#deps;
    switch (kind) {
      case 'consent_expiring': {
        const id = rowId('connection', subject);
        const connection = await findConnection(db, owner, id);
        const ends = (await currentConsents(db, owner, [id])).get(id)?.expires_at ?? null;
        if (connection === null || ends === null) return null;
        return { institution: connection.institution_name, day: await this.#day(owner, ends) };
      }
      case 'sync_attention': {
        const sync = await findSync(db, owner, rowId('sync', subject));
        return sync === null ? null : { sync: sync.name };
      }
      case 'new_device': {
        const session = await findWebSession(db, user, rowId('web_session', subject));
        if (session === null || session.browser === null) return null;
        return { browser: session.browser, time: minuteOf(session.created) };
      }
      case 'browser_added': {
        const [device] = await findPushDevices(db, user, [rowId('push_device', subject)]);
        if (device === undefined || device.browser === null) return null;
        return { browser: device.browser, time: minuteOf(device.created) };
      }
      default:
        return null;
    }
  }

  async #day(owner: OwnerId, at: Date): Promise<string> {
    const { timezone = 'UTC' } = (await findAccountRecord(this.#deps.db, owner)) ?? {};
    const timeZone = isTimeZone(timezone) ? timezone : 'UTC';
    return new Intl.DateTimeFormat('en-AU', { dateStyle: 'long', timeZone }).format(at);
  }
}

function minuteOf(at: Date): string {
  return `${at.toISOString().slice(0, 16)}Z`;
}
