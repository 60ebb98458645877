import type { AddressGuard } from '../../platform/address-guard.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Keyring } from '../../platform/keyring.ts';
import type { Log } from '../../platform/log.ts';
import type { Mailer } from '../../platform/mailer.ts';
import type { OutgoingHttp } from '../../platform/outgoing-http.ts';
import type { Db } from '../../storage/database.ts';
import type { Jobs } from '../../storage/jobs.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { NotificationDelivery } from './notification-delivery.ts';
import { NotificationSettings } from './notification-settings.ts';
import { Notifications } from './notifications.ts';
import { PushService } from './push-service.ts';
import { TransactionWatches } from './transaction-watch.ts';
import { UnsubscribeLinks } from './unsubscribe-links.ts';

export interface NotificationOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: Limits;
  readonly jobs: Jobs;
  readonly keyring: Keyring;
  readonly guard: AddressGuard;
  readonly http: Pick<OutgoingHttp, 'request'>;
  /** Null if the operator has set no mail server. */
  readonly mailer: Mailer | null;
  /** Who sends mail; null without a mail server. */
  readonly sender: string | null;
  readonly vapidPrivateKey: string | null;
  /** The address of the web application, without a trailing slash. */
  readonly appUrl: string;
}

/** What people are notified of, by e-mail and web push. */
export interface NotificationFeatures {
  readonly notifications: Notifications;
  readonly notificationSettings: NotificationSettings;
  readonly pushService: PushService;
  readonly unsubscribeLinks: UnsubscribeLinks;
  /** Whether there is a mail server. */
  readonly mailsNotifications: boolean;
  /** For the worker. */
  readonly notificationDelivery: NotificationDelivery;
  readonly transactionWatches: TransactionWatches;
}

export function createNotifications({ sender, ...options }: NotificationOptions): NotificationFeatures {
  const { appUrl, mailer } = options;
  const contact = sender === null ? contactOf(appUrl) : `mailto:${sender}`;
  const pushService = new PushService({ ...options, contact });
  const unsubscribeLinks = new UnsubscribeLinks(options);
  const notifications = new Notifications({ ...options, mailed: mailer !== null });
  const delivery = new NotificationDelivery({ ...options, pushService, unsubscribeLinks });
  return {
    notifications,
    notificationSettings: new NotificationSettings({ ...options, pushService, notifications }),
    pushService,
    unsubscribeLinks,
    mailsNotifications: mailer !== null,
    notificationDelivery: delivery,
    transactionWatches: new TransactionWatches({ ...options, notifications, delivery }),
  };
}

/** An address is either https or of a mailbox (RFC 8292, section 2.1). */
function contactOf(appUrl: string): string {
  const { protocol, hostname } = new URL(appUrl);
  return protocol === 'https:' ? appUrl : `mailto:postmaster@${hostname}`;
}
