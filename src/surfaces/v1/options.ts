import type { Authentication } from '../../features/access/authentication.ts';
import type { RateLimits } from '../../features/rate-limits/rate-limits.ts';
import type { Services } from '../../operations/services.ts';
import type { V1Endpoint } from '../../operations/v1/endpoint.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { AnswerWeights } from '../http/caller-context.ts';
import type { FailedRequests } from '../http/failed-requests.ts';

export interface V1Options {
  readonly endpoints: readonly V1Endpoint[];
  readonly services: Services;
  readonly authentication: Authentication;
  readonly rateLimits: RateLimits;
  readonly metrics: Metrics;
  readonly failures: FailedRequests;
  /** Responses in progress for each account record, on any surface. */
  readonly weights: AnswerWeights;
}
