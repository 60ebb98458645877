import { RateLimiterRedis } from 'rate-limiter-flexible';
import type { Log } from '../../platform/log.ts';
import { openRedis } from '../../platform/redis-client.ts';
import type { CountStore } from './count-store.ts';
import { RedisQuotaLog } from './redis-quota-log.ts';
import { RedisSlots } from './redis-slots.ts';

/**
 * Counts in Redis or Valkey. `namespace` keeps installations apart that share a server. Rejects when the server cannot
 * be reached at the start; what is counted ends there by itself.
 */
export async function openRedisStore(options: {
  readonly url: string;
  readonly namespace: string;
  readonly log: Pick<Log, 'warn'>;
}): Promise<CountStore> {
  const { url, namespace, log } = options;
  const client = await openRedis(url, (error) => log.warn('The rate-limit store is unreachable.', {}, error));
  const prefix = `tributary:limits:${namespace}`;
  return {
    limiter: (name, points, seconds) =>
      new RateLimiterRedis({
        storeClient: client,
        useRedisPackage: true,
        rejectIfRedisNotReady: true,
        keyPrefix: `${prefix}:${name}`,
        points,
        duration: seconds,
        inMemoryBlockOnConsumed: points + 1,
      }),
    slots: (name, places) => new RedisSlots(client, `${prefix}:${name}`, places),
    quotas: () => new RedisQuotaLog(client, `${prefix}:vendor-quota`),
    sweep: async () => undefined,
    close: async () => client.destroy(),
  };
}
