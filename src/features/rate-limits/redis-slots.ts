import type { RedisClient } from '../../platform/redis-client.ts';
import type { SlotStore } from './leased-slots.ts';

/** By the server's own clock, so that processes with different ones agree. */
const TAKE_SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[1]) then return 0 end
redis.call('ZADD', KEYS[1], now + tonumber(ARGV[3]), ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1`;

/** Places in Redis: a sorted set for each caller, its members scored by the moment their lease ends. */
export class RedisSlots implements SlotStore {
  readonly #client: RedisClient;
  readonly #prefix: string;
  readonly #places: number;

  constructor(client: RedisClient, prefix: string, places: number) {
    this.#client = client;
    this.#prefix = prefix;
    this.#places = places;
  }

  async take(caller: string, holder: string, leaseMs: number): Promise<boolean> {
    const taken = await this.#client.eval(TAKE_SCRIPT, {
      keys: [`${this.#prefix}:${caller}`],
      arguments: [String(this.#places), holder, String(leaseMs)],
    });
    return taken === 1;
  }

  async free(caller: string, holder: string): Promise<void> {
    await this.#client.zRem(`${this.#prefix}:${caller}`, holder);
  }
}
