import type { RateLimits } from '../features/rate-limits/rate-limits.ts';
import type { Clock } from '../platform/clock.ts';
import type { Role } from '../platform/config.ts';
import type { Log } from '../platform/log.ts';
import { Periodic } from './periodic.ts';

const EVERY_MS = 60_000;

export interface RateLimitSweepOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly rateLimits: RateLimits;
}

/** Deletes what was counted in past windows, so that strangers cannot fill a table. Returns what ends it. */
export function startRateLimitSweep(
  options: RateLimitSweepOptions,
  roles: readonly Role[],
): () => Promise<void> {
  if (!roles.includes('api')) return async () => undefined;
  const { rateLimits } = options;
  const sweeping = new Periodic(options, 'past rate limits', EVERY_MS, () => rateLimits.sweep());
  sweeping.start();
  return () => sweeping.stop();
}
