import type { AccountRecords } from '../../features/access/account-records.ts';
import type { AccountRemoval } from '../../features/account-removal/account-removal.ts';
import type { ConnectedApps } from '../../features/oauth/connected-apps.ts';
import type { OperatorFeatures } from '../../features/operator/create-operator.ts';
import type { RateLimits } from '../../features/rate-limits/rate-limits.ts';
import type { SignInFeatures } from '../../features/sign-in/create-sign-in.ts';
import type { Operation } from '../../operations/operation.ts';
import type { Services } from '../../operations/services.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Limits } from '../../vocabulary/limits.ts';

/** What the pages of the web application work with. */
export interface WebOptions extends SignInFeatures {
  readonly accountRecords: Pick<AccountRecords, 'find' | 'update' | 'usage'>;
  readonly accountRemoval: Pick<AccountRemoval, 'ask'>;
  /** What the data export asks. */
  readonly operations: readonly Operation[];
  readonly services: Services;
  readonly operator: OperatorFeatures;
  /** After so many milliseconds in which somebody takes nothing of the export, it is broken off. */
  readonly stallMs: number;
  readonly connectedApps: Pick<ConnectedApps, 'ofPerson' | 'revokeOwn'>;
  readonly rateLimits: Pick<RateLimits, 'hosted' | 'tiers' | 'heavy'>;
  readonly clock: Clock;
  readonly limits: Limits;
  /** Where people reach these pages, without a slash at the end. */
  readonly appUrl: string;
  /** Whether the web application is served as well; an installation may be without it. */
  readonly hasApp: boolean;
  readonly log: Log;
}

/** The path of one of these pages as browsers reach it: `APP_URL` may have a path of its own. */
export function pathOf(appUrl: string, page: `/${string}`): string {
  return `${new URL(appUrl).pathname.replace(/\/$/, '')}${page}`;
}
