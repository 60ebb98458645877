import type { AccountRecords } from '../../features/access/account-records.ts';
import type { AccountRemoval } from '../../features/account-removal/account-removal.ts';
import type { NotificationFeatures } from '../../features/notifications/create-notifications.ts';
import type { ConnectedApps } from '../../features/oauth/connected-apps.ts';
import type { OperatorFeatures } from '../../features/operator/create-operator.ts';
import type { RateLimits } from '../../features/rate-limits/rate-limits.ts';
import type { SignInFeatures } from '../../features/sign-in/create-sign-in.ts';
import type { Operation } from '../../operations/operation.ts';
import type { Services } from '../../operations/services.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { APP_PATHS } from '../../vocabulary/page-paths.ts';
import type { FailedRequests } from '../http/failed-requests.ts';

type NotificationPages = Pick<
  NotificationFeatures,
  'mailsNotifications' | 'notificationSettings' | 'notifications' | 'pushService' | 'unsubscribeLinks'
>;

/** The dependencies of the web application's pages. */
export interface WebOptions extends SignInFeatures, NotificationPages {
  readonly accountRecords: Pick<AccountRecords, 'find' | 'update' | 'usage'>;
  readonly accountRemoval: Pick<AccountRemoval, 'ask'>;
  /** What the data export reads. */
  readonly operations: readonly Operation[];
  readonly services: Services;
  readonly operator: OperatorFeatures;
  /** The export is aborted after this many milliseconds in which nothing is received. */
  readonly stallMs: number;
  readonly connectedApps: Pick<ConnectedApps, 'ofPerson' | 'revokeOwn'>;
  readonly rateLimits: Pick<RateLimits, 'hosted' | 'tiers' | 'heavy'>;
  readonly clock: Clock;
  readonly limits: Limits;
  /** The address of these pages, without a trailing slash. */
  readonly appUrl: string;
  /** Whether the web application is served as well, since an installation may lack it. */
  readonly hasApp: boolean;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'httpRequest'>;
  readonly failures: FailedRequests;
}

/** Where a person goes on who has joined an account record: its home page, if this service has the application. */
export function joinedPath({ appUrl, hasApp }: Pick<WebOptions, 'appUrl' | 'hasApp'>): string {
  return pathOf(appUrl, hasApp ? APP_PATHS.home : '/settings/security');
}

/** The path of one of these pages as browsers reach it, since `APP_URL` may have its own path. */
export function pathOf(appUrl: string, page: `/${string}`): string {
  return `${new URL(appUrl).pathname.replace(/\/$/, '')}${page}`;
}
