import type { Authentication } from '../../features/access/authentication.ts';
import type { RateLimits } from '../../features/rate-limits/rate-limits.ts';
import type { Services } from '../../operations/services.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { FailedRequests } from '../http/failed-requests.ts';

export interface BridgeOptions {
  readonly services: Pick<
    Services,
    'accountSets' | 'auditLog' | 'setupTokens' | 'publicUrl' | 'limits' | 'clock'
  >;
  /** Authenticates only apps of the bridge. */
  readonly authentication: Authentication;
  readonly rateLimits: Pick<RateLimits, 'attempts' | 'tiers' | 'heavy'>;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly failures: FailedRequests;
  /** A response is aborted after this many milliseconds in which the caller receives nothing. */
  readonly stallMs: number;
}
