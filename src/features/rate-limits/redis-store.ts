import { RateLimiterRedis } from 'rate-limiter-flexible';
import type { Log } from '../../platform/log.ts';
import { openRedis, type RedisClient } from '../../platform/redis-client.ts';
import type { CountStore } from './count-store.ts';
import type { SlotStore } from './heavy-slots.ts';
import type { QuotaBounds, QuotaLog } from './quota-log.ts';

/** By the server's own clock, so that processes with different ones agree. */
const TAKE_SLOT_SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[1]) then return 0 end
redis.call('ZADD', KEYS[1], now + tonumber(ARGV[3]), ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1`;

/** Slots in Redis: a sorted set for each caller, its members scored by the time when their lease ends. */
class RedisSlots implements SlotStore {
  readonly #client: RedisClient;
  readonly #prefix: string;
  readonly #places: number;

  constructor(client: RedisClient, prefix: string, places: number) {
    this.#client = client;
    this.#prefix = prefix;
    this.#places = places;
  }

  async take(caller: string, holder: string, leaseMs: number): Promise<boolean> {
    const taken = await this.#client.eval(TAKE_SLOT_SCRIPT, {
      keys: [`${this.#prefix}:${caller}`],
      arguments: [String(this.#places), holder, String(leaseMs)],
    });
    return taken === 1;
  }

  async free(caller: string, holder: string): Promise<void> {
    await this.#client.zRem(`${this.#prefix}:${caller}`, holder);
  }
}

/**
 * Counts in Redis or Valkey. `namespace` separates installations that share a server. Rejects if the server cannot be
 * reached at the start; counts expire there automatically.
 */
export async function openRedisStore(options: {
  readonly url: string;
  readonly namespace: string;
  readonly log: Pick<Log, 'warn'>;
}): Promise<CountStore> {
  const { url, namespace, log } = options;
  const client = await openRedis(url, (error) => log.warn('Rate-limit store unreachable.', {}, error));
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

/** By the server's own clock, so that processes with different ones agree. */
const TAKE_CALL_SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[1]) then
  local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
  return math.max(1, tonumber(first[2]) - now)
end
redis.call('ZADD', KEYS[1], now + tonumber(ARGV[3]), ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 0`;

/** Calls in Redis: a sorted set for each key, its members scored by the time when they stop counting. */
export class RedisQuotaLog implements QuotaLog {
  readonly #client: RedisClient;
  readonly #prefix: string;

  constructor(client: RedisClient, prefix: string) {
    this.#client = client;
    this.#prefix = prefix;
  }

  async take(key: string, call: string, { amount, windowMs }: QuotaBounds): Promise<number> {
    const wait = await this.#client.eval(TAKE_CALL_SCRIPT, {
      keys: [`${this.#prefix}:${key}`],
      arguments: [String(amount), call, String(windowMs)],
    });
    return Number(wait);
  }

  async forget(key: string, call: string): Promise<void> {
    await this.#client.zRem(`${this.#prefix}:${key}`, call);
  }
}
