import type { Authentication } from '../../features/access/authentication.ts';
import type { RateLimits } from '../../features/rate-limits/rate-limits.ts';
import type { Services } from '../../operations/services.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { AnswerWeights } from '../http/caller-context.ts';

export interface McpOptions {
  readonly services: Services;
  readonly authentication: Authentication;
  readonly rateLimits: RateLimits;
  readonly log: Log;
  readonly metrics: Metrics;
  /** What is on its way to each account record, through whichever surface. */
  readonly weights: AnswerWeights;
  /** Where agents reach the server, without `/mcp` and without a slash at the end. */
  readonly mcpUrl: string;
  /** Addresses of the service, which its hosts may be called by besides. */
  readonly ownUrls: readonly string[];
  /** What the process listens on: a loopback name is a good one where it listens there. */
  readonly host: string;
}
