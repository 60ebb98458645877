import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { createClient } from '@redis/client';
import type { CacheEntry } from '../../../src/features/provider-gateway/gateway-cache.ts';
import { RedisCache } from '../../../src/features/provider-gateway/redis-cache.ts';
import { SimulatedClock } from '../../../src/platform/clock.ts';
import { newKeyEntry, parseKeyring } from '../../../src/platform/keyring.ts';
import { createLog } from '../../../src/platform/log.ts';
import { Sealer } from '../../../src/platform/sealing.ts';
import { rowId } from '../../../src/vocabulary/ids.ts';
import { NOW } from '../../connectors/providers/au-banking-bank.ts';
import { EVER, never, openGateway } from './open-gateway.ts';
import { code } from './service-code.ts';

const url = process.env.REDIS_URL;
const skip = url === undefined ? 'REDIS_URL is not set' : false;

describe('The cache shared by processes', { skip }, () => {
  const owner = rowId('account_record', randomUUID());
  const clock = new SimulatedClock(NOW);
  const sealer = new Sealer(parseKeyring(newKeyEntry(), 'test'), 'gateway-cache');
  const log = createLog({ level: 'silent' });
  const redis = createClient({ url: url ?? '' });
  let here: RedisCache;
  let there: RedisCache;

  before(async () => {
    here = await RedisCache.open(url ?? '', { sealer, clock, log, ownerBytes: 100_000 });
    there = await RedisCache.open(url ?? '', { sealer, clock, log, ownerBytes: 100_000 });
    await redis.connect();
  });
  after(async () => {
    await Promise.all([here.close(), there.close()]);
    redis.destroy();
  });

  const entry = (description: string): CacheEntry => ({
    kind: 'details',
    live: false,
    observedAt: clock.now(),
    value: {
      productName: description,
      depositRate: null,
      depositRates: [],
      lendingRate: null,
      lendingRates: [],
      fees: [],
      features: [],
      loan: null,
    },
  });
  const place = () => ({ connection: rowId('connection', randomUUID()), key: 'details' });

  it('stores no more of one account record within an hour than its share', async () => {
    const greedy = rowId('account_record', randomUUID());
    const kept = async (of: typeof owner) => {
      const at = place();
      const { generation } = await here.look(at);
      await here.set({ at, owner: of, entry: entry('x'.repeat(30_000)), ttlMs: 60_000, generation });
      return (await here.look(at)).entry !== null;
    };
    const first = [await kept(greedy), await kept(greedy), await kept(greedy), await kept(greedy)];
    assert.deepEqual(first, [true, true, false, false]);
    assert.equal(await kept(rowId('account_record', randomUUID())), true);
    assert.ok((await redis.pTTL(`tributary:read:stored:${greedy}`)) > 0);
  });

  it('gives one process what another stored, until its time', async () => {
    const at = place();
    const { generation } = await here.look(at);
    await here.set({ at, owner, entry: entry('Everyday'), ttlMs: 60_000, generation });
    assert.deepEqual((await there.look(at)).entry, entry('Everyday'));
    assert.equal((await there.look({ ...at, key: 'other' })).entry, null);
    const left = await redis.pTTL(`tributary:read:${at.connection}`);
    assert.ok(left > 0 && left <= 60_000);
  });

  it('lets no answer live longer because it is beside younger ones', async () => {
    const at = place();
    const { generation } = await here.look(at);
    await here.set({ at, owner, entry: entry('short'), ttlMs: 5_000, generation });
    await here.set({ owner, at: { ...at, key: 'long' }, entry: entry('long'), ttlMs: 60_000, generation });
    assert.ok((await redis.pTTL(`tributary:read:${at.connection}`)) <= 5_000);
  });

  it('forgets a connection everywhere at once, also what a read in flight would put back', async () => {
    const at = place();
    const { generation } = await here.look(at);
    await here.set({ at, owner, entry: entry('a'), ttlMs: 60_000, generation });
    await there.purge(at.connection);
    assert.equal((await here.look(at)).entry, null);
    await here.set({ at, owner, entry: entry('a'), ttlMs: 60_000, generation });
    assert.equal((await here.look(at)).entry, null);
  });

  it('shows the server nothing of what was read, and opens nothing moved to another place', async () => {
    const at = place();
    const { generation } = await here.look(at);
    await here.set({ at, owner, entry: entry('MARKER-PRODUCT'), ttlMs: 60_000, generation });
    const sealed = await redis.hGet(`tributary:read:${at.connection}`, at.key);
    assert.ok(sealed);
    assert.ok(!sealed.includes('MARKER') && !Buffer.from(sealed, 'base64url').includes('MARKER'));
    const elsewhere = place();
    await redis.hSet(`tributary:read:${elsewhere.connection}`, elsewhere.key, sealed);
    assert.equal((await here.look(elsewhere)).entry, null);
  });

  it('gives a turn once in its time across processes', async () => {
    const name = randomUUID();
    assert.equal(await here.takeTurn(name, 60_000), 0);
    const left = await there.takeTurn(name, 60_000);
    assert.ok(left > 0 && left <= 60_000);
  });

  it('serves the gateway: the second process hits what the first read', async () => {
    const cached = await RedisCache.open(url ?? '', { sealer, clock, log, ownerBytes: 100_000 });
    const test = await openGateway({ cache: () => cached });
    try {
      const [account] = await test.link('sole-trader');
      assert.ok(account);
      const first = await test.gateway.transactions.list(account, EVER, never);
      const second = await test.gateway.transactions.list(account, EVER, never);
      assert.deepEqual([first.cache, second.cache], ['MISS', 'HIT']);
      assert.deepEqual(second.value, first.value);
    } finally {
      await test.close();
    }
  });

  it('is a miss when it cannot be reached, never a failed read; only a purge says so [code gateway_unavailable]', async () => {
    const cached = await RedisCache.open(url ?? '', { sealer, clock, log, ownerBytes: 100_000 });
    const test = await openGateway({ cache: () => cached });
    try {
      const [account] = await test.link('sole-trader');
      assert.ok(account);
      await cached.close();
      assert.equal((await test.gateway.accounts.balance(account, {}, never)).cache, 'MISS');
      assert.equal((await test.gateway.accounts.balance(account, {}, never)).cache, 'MISS');
      await code(test.gateway.purge(account.connection.id), 'gateway_unavailable');
    } finally {
      await test.bank.shut();
    }
  });

  it('refuses to start on an address where no server answers', async () => {
    await assert.rejects(RedisCache.open('redis://127.0.0.1:1', { sealer, clock, log, ownerBytes: 100_000 }));
  });
});
