import { RateLimiterRedis } from 'rate-limiter-flexible';
import type { Log } from '../../platform/log.ts';
import { openRedis, type RedisClient } from '../../platform/redis-client.ts';
import type { CountStore } from './count-store.ts';
import type { Lease, LeaseLevel, SlotStore } from './leased-slots.ts';
import type { QuotaBounds, QuotaLog } from './quota-log.ts';

/** By the server's own clock, so that processes with different ones agree. */
const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

/** The key, too, lasts as long as the lease that ends last. */
const KEEP = `
local function keep(key, ms)
  if redis.call('PTTL', key) < tonumber(ms) then redis.call('PEXPIRE', key, ms) end
end`;

/** Keys: of the levels. Arguments: the lease, how long it lasts, and the places of each level. */
const TAKE_SLOT_SCRIPT = `${NOW}${KEEP}
for level, key in ipairs(KEYS) do
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now)
  if redis.call('ZCARD', key) >= tonumber(ARGV[2 + level]) then return level end
end
for _, key in ipairs(KEYS) do
  redis.call('ZADD', key, now + tonumber(ARGV[2]), ARGV[1])
  keep(key, ARGV[2])
end
return 0`;

/** Keys: of each level of each lease. Arguments: how long leases last, and the lease that each key is for. */
const RENEW_SCRIPT = `${NOW}${KEEP}
for at, key in ipairs(KEYS) do
  redis.call('ZADD', key, 'XX', now + tonumber(ARGV[1]), ARGV[1 + at])
  keep(key, ARGV[1])
end
return 0`;

/** Slots in Redis: a sorted set for each level, its members scored by the time when their lease ends. */
class RedisSlots implements SlotStore {
  readonly #client: RedisClient;
  readonly #prefix: string;

  constructor(client: RedisClient, prefix: string) {
    this.#client = client;
    this.#prefix = prefix;
  }

  async take(accountRecord: string, { name, levels }: Lease, leaseMs: number): Promise<number | null> {
    const full = await this.#client.eval(TAKE_SLOT_SCRIPT, {
      keys: levels.map((level) => this.#key(accountRecord, level)),
      arguments: [name, String(leaseMs), ...levels.map(({ places }) => String(places))],
    });
    return full === 0 ? null : Number(full) - 1;
  }

  /** The client sends commands of one turn together. */
  async free(accountRecord: string, leases: readonly Lease[]): Promise<void> {
    await Promise.all(
      leases.flatMap(({ name, levels }) =>
        levels.map((level) => this.#client.zRem(this.#key(accountRecord, level), name)),
      ),
    );
  }

  async renew(leases: ReadonlyMap<string, ReadonlySet<Lease>>, leaseMs: number): Promise<void> {
    const members = [...leases].flatMap(([accountRecord, all]) =>
      [...all].flatMap(({ name, levels }) =>
        levels.map((level) => ({ key: this.#key(accountRecord, level), name })),
      ),
    );
    await this.#client.eval(RENEW_SCRIPT, {
      keys: members.map(({ key }) => key),
      arguments: [String(leaseMs), ...members.map(({ name }) => name)],
    });
  }

  #key(accountRecord: string, { part }: LeaseLevel): string {
    return `${this.#prefix}:${accountRecord}${part}`;
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
    slots: (name) => new RedisSlots(client, `${prefix}:${name}`),
    quotas: () => new RedisQuotaLog(client, `${prefix}:vendor-quota`),
    sweep: async () => undefined,
    close: async () => client.destroy(),
  };
}

const TAKE_CALL_SCRIPT = `${NOW}
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
