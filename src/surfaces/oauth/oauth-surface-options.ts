import type { OAuthFeatures } from '../../features/oauth/create-oauth.ts';
import type { OAuthAddresses } from '../../features/oauth/oauth-resources.ts';
import type { AuthorizationServer } from '../../features/oauth/running-server.ts';
import type { RateLimits } from '../../features/rate-limits/rate-limits.ts';
import type { Members } from '../../features/sign-in/members.ts';
import type { SessionAuthenticator } from '../../features/sign-in/session-authenticator.ts';
import type { SharedRecords } from '../../features/sign-in/shared-records.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { FailedRequests } from '../http/failed-requests.ts';

export interface OAuthSurfaceOptions {
  readonly oauth: OAuthFeatures;
  /** Knows who is signed in. */
  readonly sessions: Pick<SessionAuthenticator, 'credentialIn' | 'find' | 'inRecord'>;
  /** Knows who people are. */
  readonly members: Pick<Members, 'person'>;
  /** Knows which account records a person shares. */
  readonly sharedRecords: Pick<SharedRecords, 'choices'>;
  readonly rateLimits: Pick<RateLimits, 'oauth'>;
  readonly addresses: OAuthAddresses;
  readonly clock: Clock;
  readonly limits: Pick<Limits, 'fresh_sign_in_minutes'>;
  readonly metrics: Metrics;
  readonly failures: FailedRequests;
}

export interface RunningOAuth extends OAuthSurfaceOptions {
  /** The server and its library, loaded on first use. */
  readonly server: () => Promise<AuthorizationServer>;
}
