import type { RedisClient } from '../../platform/redis-client.ts';
import type { QuotaBounds, QuotaLog } from './quota-log.ts';

/** By the server's own clock, so that processes with different ones agree. */
const TAKE_SCRIPT = `
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

/** Calls in Redis: a sorted set for each key, its members scored by the moment they no longer count. */
export class RedisQuotaLog implements QuotaLog {
  readonly #client: RedisClient;
  readonly #prefix: string;

  constructor(client: RedisClient, prefix: string) {
    this.#client = client;
    this.#prefix = prefix;
  }

  async take(key: string, call: string, { amount, windowMs }: QuotaBounds): Promise<number> {
    const wait = await this.#client.eval(TAKE_SCRIPT, {
      keys: [`${this.#prefix}:${key}`],
      arguments: [String(amount), call, String(windowMs)],
    });
    return Number(wait);
  }

  async forget(key: string, call: string): Promise<void> {
    await this.#client.zRem(`${this.#prefix}:${key}`, call);
  }
}
