import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { openRedis, type RedisClient } from '../../platform/redis-client.ts';
import { type Sealer, UnsealError } from '../../platform/sealing.ts';
import { withTimeout } from '../../platform/with-timeout.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import type { CacheEntry, CacheKey, CacheLook, CacheSet, GatewayCache } from './gateway-cache.ts';

/** Raised when the shape of an entry changes, so that a new release does not read what an old one cached. */
const FORMAT = 3;

interface Envelope {
  readonly format: typeof FORMAT;
  readonly expiresAt: number;
  readonly entry: CacheEntry;
}

/** The entry as JSON with the moment it ends. */
function encodeEntry(entry: CacheEntry, expiresAt: number): string {
  const envelope: Envelope = { format: FORMAT, expiresAt, entry };
  return JSON.stringify(envelope);
}

/** The entry, or null when it is past its time or of another release. The text was sealed by us: its inside is ours. */
function decodeEntry(text: string, now: number): CacheEntry | null {
  const envelope: unknown = JSON.parse(text);
  return isEnvelope(envelope) && envelope.expiresAt > now ? envelope.entry : null;
}

function isEnvelope(value: unknown): value is Envelope {
  return typeof value === 'object' && value !== null && 'format' in value && value.format === FORMAT;
}

const PREFIX = 'tributary:read:';
/** Longer than any read can take (LIMIT_READ_DEADLINE_MS is at most ten minutes). */
const GENERATION_SECONDS = 3600;
/** A cache that answers slower than this is slower than not having one. */
const PATIENCE_MS = 500;
/** A purge is a promise to a person; it may take longer. */
const PURGE_PATIENCE_MS = 5000;
const UNKNOWN = '';
/** The longest that answers live by default: an owner who stores too much waits until it is gone. */
const COUNTED_MS = 3_600_000;

/**
 * Stores the answer unless there was a purge in between, or its owner has stored as much as it may within the time that
 * answers live. A hash expires as a whole: with the earliest of its entries, so that none outlives its own time by
 * being stored beside younger ones.
 */
const SET_SCRIPT = `
if (redis.call('GET', KEYS[2]) or '0') ~= ARGV[1] then return 0 end
local stored = redis.call('INCRBY', KEYS[3], string.len(ARGV[3]))
if stored == string.len(ARGV[3]) then redis.call('PEXPIRE', KEYS[3], ARGV[6]) end
if stored > tonumber(ARGV[5]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[2], ARGV[3])
local left = redis.call('PTTL', KEYS[1])
if left < 0 or left > tonumber(ARGV[4]) then redis.call('PEXPIRE', KEYS[1], ARGV[4]) end
return 1`;

export interface RedisCacheDependencies {
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
  /** Bytes that one account record may store within an hour. */
  readonly ownerBytes: number;
}

/**
 * The cache shared by all processes, in Redis or Valkey: one hash for each connection, so that a purge is one DEL.
 * Values are sealed, bound to their place; the server sees ids and days, never what was read.
 */
export class RedisCache implements GatewayCache {
  readonly #client: RedisClient;
  readonly #sealer: Sealer;
  readonly #clock: Clock;
  readonly #log: Pick<Log, 'warn'>;
  readonly #ownerBytes: number;

  private constructor(client: RedisClient, deps: RedisCacheDependencies) {
    this.#client = client;
    this.#ownerBytes = deps.ownerBytes;
    this.#sealer = deps.sealer;
    this.#clock = deps.clock;
    this.#log = deps.log;
  }

  /** Connects. Rejects when the server cannot be reached: a wrong REDIS_URL should be seen at the start. */
  static async open(url: string, deps: RedisCacheDependencies): Promise<RedisCache> {
    const client = await openRedis(url, (error) => deps.log.warn('Shared cache unreachable.', {}, error));
    return new RedisCache(client, deps);
  }

  async look(at: CacheKey): Promise<CacheLook> {
    try {
      const answers = Promise.all([
        this.#client.hGet(hashOf(at.connection), at.key),
        this.#client.get(generationOf(at.connection)),
      ]);
      const [sealed, generation] = await withTimeout(answers, PATIENCE_MS);
      return { entry: sealed === null ? null : this.#open(at, sealed), generation: generation ?? '0' };
    } catch (error) {
      this.#log.warn('Failed to read the shared cache.', {}, error);
      return { entry: null, generation: UNKNOWN };
    }
  }

  async set({ at, owner, entry, ttlMs, generation }: CacheSet): Promise<void> {
    if (generation === UNKNOWN || ttlMs <= 0) return;
    const sealed = this.#sealer.sealToken(encodeEntry(entry, this.#clock.now() + ttlMs), contextOf(at));
    try {
      const keys = [hashOf(at.connection), generationOf(at.connection), storedOf(owner)];
      const given = [
        generation,
        at.key,
        sealed,
        String(Math.ceil(ttlMs)),
        String(this.#ownerBytes),
        String(COUNTED_MS),
      ];
      await withTimeout(this.#client.eval(SET_SCRIPT, { keys, arguments: given }), PATIENCE_MS);
    } catch (error) {
      this.#log.warn('Failed to write to the shared cache.', {}, error);
    }
  }

  async purge(connection: RowId<'connection'>): Promise<void> {
    const purged = this.#client
      .multi()
      .incr(generationOf(connection))
      .expire(generationOf(connection), GENERATION_SECONDS)
      .del(hashOf(connection))
      .exec();
    await withTimeout(purged, PURGE_PATIENCE_MS);
  }

  /** Nothing: what is cached is shared, and a purge is for all. */
  forgetOwn(): void {}

  /** While the server cannot be asked, every turn is granted: the vendor's own limit still holds. */
  async takeTurn(name: string, everyMs: number): Promise<number> {
    const key = `${PREFIX}turn:${name}`;
    const ms = Math.ceil(everyMs);
    if (ms <= 0) return 0;
    try {
      const taken = this.#client.set(key, '1', { condition: 'NX', expiration: { type: 'PX', value: ms } });
      if ((await withTimeout(taken, PATIENCE_MS)) !== null) return 0;
      return Math.max(1, await withTimeout(this.#client.pTTL(key), PATIENCE_MS));
    } catch (error) {
      this.#log.warn('Failed to take a lock in the shared cache.', {}, error);
      return 0;
    }
  }

  async close(): Promise<void> {
    this.#client.destroy();
  }

  #open(at: CacheKey, sealed: string): CacheEntry | null {
    try {
      return decodeEntry(this.#sealer.openToken(sealed, contextOf(at)).toString('utf8'), this.#clock.now());
    } catch (error) {
      if (error instanceof UnsealError) return null;
      throw error;
    }
  }
}

const hashOf = (connection: RowId<'connection'>): string => `${PREFIX}${connection}`;
/** Bytes an owner stored within the current hour. */
const storedOf = (owner: OwnerId): string => `${PREFIX}stored:${owner}`;
const generationOf = (connection: RowId<'connection'>): string => `${PREFIX}generation:${connection}`;
const contextOf = (at: CacheKey): string => `gateway-cache ${at.connection} ${at.key}`;
