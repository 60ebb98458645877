import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { bytesOf, MemoryCache } from '../../../src/features/provider-gateway/memory-cache.ts';
import { SimulatedClock } from '../../../src/platform/clock.ts';
import { rowId } from '../../../src/vocabulary/ids.ts';
import { eventually, withPatience } from '../../support/patience.ts';
import { EVER, type LinkedAccount, never, openGateway, type TestGateway } from './open-gateway.ts';
import { code } from './service-code.ts';

const MINUTE = 60_000;

describe('The gateway caches answers for minutes', () => {
  let test: TestGateway;
  let account: LinkedAccount;

  before(async () => {
    test = await openGateway();
  });
  after(() => test.close());
  beforeEach(async () => {
    const found = (await test.link('sole-trader')).find(({ upstream }) => upstream.type === 'transaction');
    assert.ok(found);
    account = found;
    test.bank.simulator.control.clear();
  });

  const reads = [
    ['balance', 30, '/v1/banking/balances', () => test.gateway.accounts.balance(account, {}, never)],
    ['details', 15, '/v1/banking/accounts', () => test.gateway.accounts.details(account, never)],
    [
      'transactions',
      60,
      '/v1/banking/transactions',
      () => test.gateway.transactions.list(account, EVER, never),
    ],
  ] as const;
  for (const [what, minutes, path, read] of reads) {
    it(`serves ${what} from memory for ${minutes} minutes, then asks again`, async () => {
      const first = await read();
      assert.equal(first.cache, 'MISS');
      assert.ok(test.asked(path) > 0);
      test.clock.advance(minutes * MINUTE - 1);
      const second = await read();
      assert.equal(second.cache, 'HIT');
      assert.equal(second.observedAt, first.observedAt);
      assert.deepEqual(second.value, first.value);
      assert.equal(test.asked(path), 0);
      test.clock.advance(1);
      assert.equal((await read()).cache, 'MISS');
    });

    it(`asks once for ${what} although many ask at the same time`, async () => {
      await read();
      const single = test.asked(path);
      test.gateway.purge(account.connection.id);
      const answers = await Promise.all([read(), read(), read(), read()]);
      assert.equal(test.asked(path), single);
      for (const answer of answers) assert.deepEqual(answer, answers[0]);
    });

    it(`forgets ${what} at once when the connection is purged`, async () => {
      await read();
      test.gateway.purge(account.connection.id);
      assert.equal((await read()).cache, 'MISS');
    });
  }

  it('caches windows, pending rows and accounts separately', async () => {
    const posted = await test.gateway.transactions.list(account, { ...EVER, includePending: false }, never);
    const pending = await test.gateway.transactions.list(account, EVER, never);
    assert.equal(pending.cache, 'MISS');
    assert.ok(pending.value.rows.length > posted.value.rows.length);
    const [, other] = await test.link('sole-trader');
    assert.ok(other);
    assert.equal((await test.gateway.transactions.list(other, EVER, never)).cache, 'MISS');
  });

  it('lets no read in flight bring back what a purge removed', async () => {
    const { control } = test.bank.simulator;
    const begun = () => control.requests().some(({ path }) => path.startsWith('/v1/banking/balances'));
    await withPatience([100, 6000], async (latencyMs) => {
      test.gateway.purge(account.connection.id);
      control.clearRequests();
      control.addFault({ route: 'GET /v1/banking/balances', kind: 'latency', latencyMs });
      const early = test.gateway.accounts.balance(account, {}, never);
      await eventually(begun);
      test.gateway.purge(account.connection.id);
      const late = test.gateway.accounts.balance(account, {}, never);
      assert.equal((await early).cache, 'MISS');
      assert.equal((await late).cache, 'MISS');
      assert.equal(test.asked('/v1/banking/balances'), 2, 'a read after the purge joined one from before it');
      test.gateway.purge(account.connection.id);
      control.addFault({ route: 'GET /v1/banking/balances', kind: 'latency', latencyMs });
      const lone = test.gateway.accounts.balance(account, {}, never);
      await eventually(begun);
      test.gateway.purge(account.connection.id);
      await lone;
      assert.equal((await test.gateway.accounts.balance(account, {}, never)).cache, 'MISS');
    });
  });

  it('caches nothing for an account record that opted out', async () => {
    const off = { ...account, connection: { ...account.connection, caching: false } };
    assert.equal((await test.gateway.accounts.details(off, never)).cache, 'BYPASS');
    assert.equal((await test.gateway.accounts.details(off, never)).cache, 'BYPASS');
    assert.equal((await test.gateway.accounts.details(account, never)).cache, 'MISS');
    assert.equal((await test.gateway.transactions.list(off, EVER, never)).cache, 'BYPASS');
  });

  it('caches no failure', async () => {
    test.bank.simulator.control.addFault({ route: 'GET /v1/banking/balances', kind: 'rate-limit' });
    await code(test.gateway.accounts.balance(account, {}, never), 'upstream_rate_limited');
    assert.equal((await test.gateway.accounts.balance(account, {}, never)).cache, 'MISS');
  });

  it('rations live balances to one in fifteen minutes where caching is off', async () => {
    const off = { ...account, connection: { ...account.connection, caching: false } };
    assert.equal((await test.gateway.accounts.balance(off, {}, never)).cache, 'BYPASS');
    test.clock.advance(14 * MINUTE);
    const refusal = await code(test.gateway.accounts.balance(off, {}, never), 'balance_refresh_limited');
    assert.equal(refusal.status, 429);
    assert.equal(refusal.retryAfterSeconds, 60);
    test.clock.advance(MINUTE);
    await test.gateway.accounts.balance(off, {}, never);
  });

  it('asks the bank itself where caching is off, and what the provider holds where it is on', async () => {
    const off = { ...account, connection: { ...account.connection, caching: false } };
    test.bank.simulator.control.setInstitutionStatus(account.grant.institution, 'OUTAGE');
    try {
      await code(test.gateway.accounts.balance(off, {}, never), 'upstream_unavailable');
      await test.gateway.accounts.balance(account, {}, never);
    } finally {
      test.bank.simulator.control.setInstitutionStatus(account.grant.institution, 'HEALTHY');
    }
  });

  it('answers fewer days from what was read of more, as the bank would, and more days only by asking', async () => {
    const { transactions } = test.gateway;
    const fresh = { maxAgeMs: 60 * MINUTE };
    const more = await transactions.list(account, EVER, never);
    assert.ok(test.asked('/v1/banking/transactions') > 0);
    const days = more.value.rows.flatMap(({ date }) => date ?? []).toSorted();
    const [from, to] = [days[Math.floor(days.length / 4)], days[Math.floor(days.length / 2)]];
    assert.ok(from !== undefined && to !== undefined);
    const window = { from, to, includePending: true };
    const fewer = await transactions.list(account, window, never, null, fresh);
    assert.deepEqual([fewer.cache, test.asked('/v1/banking/transactions')], ['HIT', 0]);
    test.gateway.purge(account.connection.id);
    const asked = await transactions.list(account, window, never, null, fresh);
    assert.equal(asked.cache, 'MISS');
    assert.deepEqual(fewer.value, asked.value);
    assert.equal((await transactions.list(account, EVER, never, null, fresh)).cache, 'MISS');
  });

  it('asks again for rows that are older than the caller takes', async () => {
    const list = (maxAgeMs: number) =>
      test.gateway.transactions.list(account, EVER, never, null, { maxAgeMs });
    await list(0);
    test.clock.advance(MINUTE);
    assert.equal((await list(MINUTE)).cache, 'HIT');
    assert.equal((await list(MINUTE - 1)).cache, 'MISS');
  });

  it('goes on with a read that lingers when its caller leaves, and answers the next from it', async () => {
    const list = (signal: AbortSignal) =>
      test.gateway.transactions.list(account, EVER, signal, null, { lingers: true });
    await list(never);
    const single = test.asked('/v1/banking/transactions');
    test.gateway.purge(account.connection.id);
    const leaving = new AbortController();
    const left = list(leaving.signal).catch(() => null);
    await eventually(() => test.bank.simulator.control.requests().length > 0);
    leaving.abort();
    await left;
    await list(never);
    assert.equal(test.asked('/v1/banking/transactions'), single, 'one read for both');
  });

  it('asks the bank itself for a live balance, and lets a live answer of the last quarter hour stand in for it', async () => {
    await test.gateway.accounts.balance(account, {}, never);
    assert.equal((await test.gateway.accounts.balance(account, { live: true }, never)).cache, 'MISS');
    assert.equal((await test.gateway.accounts.balance(account, { live: true }, never)).cache, 'HIT');
    test.clock.advance(15 * MINUTE);
    assert.equal((await test.gateway.accounts.balance(account, { live: true }, never)).cache, 'MISS');
  });
});

describe('The memory cache', () => {
  const connection = rowId('connection', '0190a000-0000-7000-8000-000000000001');
  const balance = {
    kind: 'balance' as const,
    live: false,
    observedAt: 0,
    value: { current: null, available: null, currentDecimal: null, availableDecimal: null, currency: null },
  };

  const owner = rowId('account_record', '0190a000-0000-7000-8000-000000000002');
  const other = rowId('account_record', '0190a000-0000-7000-8000-000000000003');
  const size = bytesOf(balance);

  it('holds no more bytes than allowed, dropping what was not used for longest [limit cache_bytes]', async () => {
    const cache = new MemoryCache(new SimulatedClock(0), { bytes: size * 10, ownerBytes: size * 10 });
    const keep = (key: string) => {
      const { generation } = cache.look({ connection, key });
      cache.set({ at: { connection, key }, owner, entry: balance, ttlMs: 1000, generation });
    };
    for (let index = 0; index < 10; index++) keep(`k${index}`);
    cache.look({ connection, key: 'k0' });
    keep('k10');
    assert.equal(cache.bytes, size * 10);
    assert.ok(cache.look({ connection, key: 'k0' }).entry);
    assert.equal(cache.look({ connection, key: 'k1' }).entry, null);
  });

  it('caches no more of one account record than its share, and drops nothing of others for it [limit cache_owner_bytes]', async () => {
    const cache = new MemoryCache(new SimulatedClock(0), { bytes: size * 10, ownerBytes: size * 6 });
    const keep = (who: typeof owner, key: string) => {
      const { generation } = cache.look({ connection, key });
      cache.set({ at: { connection, key }, owner: who, entry: balance, ttlMs: 1000, generation });
    };
    for (let index = 0; index < 3; index++) keep(other, `theirs ${index}`);
    for (let index = 0; index < 100; index++) keep(owner, `mine ${index}`);
    assert.equal(cache.bytes, size * 9);
    // Full: the next one costs the owner that has the most, although what the other has is older.
    for (let index = 3; index < 5; index++) keep(other, `theirs ${index}`);
    for (let index = 0; index < 5; index++) {
      assert.ok(cache.look({ connection, key: `theirs ${index}` }).entry);
    }
    assert.equal(cache.look({ connection, key: 'mine 94' }).entry, null);
    assert.ok(cache.look({ connection, key: 'mine 95' }).entry);
  });

  it('counts what an answer holds and not how many parts it has', () => {
    const details = (productName: string) =>
      bytesOf({
        kind: 'details',
        live: false,
        observedAt: 0,
        value: {
          productName,
          depositRate: null,
          depositRates: [],
          lendingRate: null,
          lendingRates: [],
          fees: [],
          features: [],
          loan: null,
        },
      });
    assert.equal(details('x'.repeat(100_001)) - details('x'), 100_000);
  });

  it('lets go of what is past its time even when no one asks for it', async () => {
    const clock = new SimulatedClock(0);
    const cache = new MemoryCache(clock, { bytes: 10_000, ownerBytes: 10_000 });
    const { generation } = cache.look({ connection, key: 'a' });
    cache.set({ at: { connection, key: 'a' }, owner, entry: balance, ttlMs: 1000, generation });
    clock.advance(61_000);
    cache.set({ at: { connection, key: 'b' }, owner, entry: balance, ttlMs: 1000, generation });
    assert.equal(cache.bytes, size);
  });
});
