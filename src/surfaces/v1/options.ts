import type { Authentication } from '../../features/access/authentication.ts';
import type { RateLimits } from '../../features/rate-limits/rate-limits.ts';
import type { Services } from '../../operations/services.ts';
import type { V1Endpoint } from '../../operations/v1/endpoint.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { AnswerWeights } from '../http/caller-context.ts';

export interface V1Options {
  readonly endpoints: readonly V1Endpoint[];
  readonly services: Services;
  readonly authentication: Authentication;
  readonly rateLimits: RateLimits;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Responses in progress for each account record, on any surface. */
  readonly weights: AnswerWeights;
}
