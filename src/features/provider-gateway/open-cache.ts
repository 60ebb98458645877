import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Sealer } from '../../platform/sealing.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { GatewayCache } from './gateway-cache.ts';
import { MemoryCache } from './memory-cache.ts';

/** The cache of this process, or with a REDIS_URL the one shared by all. Close it at the end. */
export async function openGatewayCache(options: {
  readonly redisUrl: string | null;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly limits: Pick<Limits, 'cache_bytes' | 'cache_owner_bytes'>;
  readonly log: Pick<Log, 'warn'>;
}): Promise<GatewayCache> {
  const { redisUrl, clock, limits } = options;
  const { cache_bytes: bytes, cache_owner_bytes: ownerBytes } = limits;
  if (redisUrl === null) return new MemoryCache(clock, { bytes, ownerBytes });
  // Most installations have no Redis, and its client is the largest library of all that a start would load.
  const { RedisCache } = await import('./redis-cache.ts');
  return RedisCache.open(redisUrl, { ...options, ownerBytes });
}
