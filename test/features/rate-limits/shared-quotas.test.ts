import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openRateLimits, type RateLimits } from '../../../src/features/rate-limits/rate-limits.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { newKeyEntry, parseKeyring } from '../../../src/platform/keyring.ts';
import { type Quota, QuotaSpent, type QuotaUse } from '../../../src/platform/quotas.ts';
import { openDatabase } from '../../../src/storage/database.ts';
import { DEFAULT_LIMITS } from '../../../src/vocabulary/limits.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { proxyTo } from '../../support/store-proxy.ts';

/** A store on a busy machine is slow, which is no failure of it. */
const UNHURRIED = { ...DEFAULT_LIMITS, count_store_deadline_ms: 30_000 };
const never = new AbortController().signal;
/** Long enough that nothing of it ends while a test runs. */
const HOURLY: Quota = { name: 'hourly', amount: 10, windowMs: 3_600_000 };
const QUICK: Quota = { name: 'quick', amount: 3, windowMs: 500 };
let keys = 0;
const useOf = (quota: Quota): QuotaUse => ({ quota, key: `grant-${++keys}` });

for (const [name, variable] of [
  ['Redis', 'REDIS_URL'],
  ['Postgres', 'DATABASE_URL'],
] as const) {
  const server = process.env[variable];
  describe(`quotas of vendors shared in ${name}`, {
    skip: server === undefined ? `${variable} is not set` : false,
  }, () => {
    let database: TestDatabase;
    let here: RateLimits;
    let there: RateLimits;
    const keyring = parseKeyring(newKeyEntry(), 'test');
    const redisUrl = variable === 'REDIS_URL' ? (server ?? null) : null;
    const open = (more: { redisUrl?: string; database?: TestDatabase['database'] } = {}) =>
      openRateLimits({
        redisUrl,
        database: database.database,
        keyring,
        limits: UNHURRIED,
        clock: systemClock,
        log: { warn: () => undefined },
        ...more,
      });
    before(async () => {
      database = await openTestDatabase();
      here = await open();
      there = await open();
    });
    after(async () => {
      await here.close();
      await there.close();
      await database.close();
    });
    /** How many of so many callers in both processes are let through without waiting. */
    const allowed = async (count: number, uses: readonly QuotaUse[]): Promise<number> => {
      const outcomes = await Promise.allSettled(
        Array.from({ length: count }, (_, at) => (at % 2 === 0 ? here : there).quotas.take(uses, 0, never)),
      );
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected')
          assert.ok(outcome.reason instanceof QuotaSpent, String(outcome.reason));
      }
      return outcomes.filter(({ status }) => status === 'fulfilled').length;
    };

    test('two processes at the same moment get together exactly what the vendor allows', async () => {
      const use = useOf(HOURLY);
      assert.equal(await allowed(30, [use]), HOURLY.amount);
      await assert.rejects(there.quotas.take([use], 60_000, never), (error) => {
        assert.ok(error instanceof QuotaSpent);
        assert.ok(
          error.retryAfterMs > 3_000_000 && error.retryAfterMs <= 3_600_100,
          String(error.retryAfterMs),
        );
        return true;
      });
    });

    test('anyone who uses theirs up, in either process, makes no one else wait', async () => {
      const [greedy, modest] = [useOf(HOURLY), useOf(HOURLY)];
      await allowed(30, [greedy]);
      assert.equal(await allowed(HOURLY.amount, [modest]), HOURLY.amount);
    });

    test('a call that is refused by one quota does not count in another', async () => {
      const [full, other] = [useOf(HOURLY), useOf({ ...HOURLY, name: 'other' })];
      await allowed(HOURLY.amount, [full]);
      assert.equal(await allowed(20, [other, full]), 0);
      assert.equal(await allowed(20, [other]), HOURLY.amount);
    });

    test('who waits gets a place when the oldest call no longer counts, in either process', async () => {
      const use = useOf(QUICK);
      const began = performance.now();
      const through: number[] = [];
      await Promise.all(
        Array.from({ length: 12 }, async (_, at) => {
          await (at % 2 === 0 ? here : there).quotas.take([use], 60_000, never);
          through.push(performance.now());
        }),
      );
      assert.equal(through.length, 12);
      // Twelve at three in half a second: the last is three whole lengths after the first.
      assert.ok((through.at(-1) ?? 0) - began >= 3 * QUICK.windowMs - 100);
    });

    test('a turn that one process takes comes to neither again before its time', async () => {
      const name = `live-balance ${++keys}`;
      assert.equal(await here.turns.take(name, 3_600_000), 0);
      for (const process of [here, there]) {
        const left = await process.turns.take(name, 3_600_000);
        assert.ok(left > 3_500_000 && left <= 3_600_000, String(left));
      }
      assert.equal(await there.turns.take(`live-balance ${++keys}`, 3_600_000), 0);
      const taken = await Promise.all(
        [here, there].map((process) => process.turns.take(`refresh ${name}`, 300)),
      );
      assert.deepEqual(taken.filter((left) => left === 0).length, 1);
      await systemClock.sleep(400);
      assert.equal(await here.turns.take(`refresh ${name}`, 300), 0);
    });

    test('what is over is deleted', async () => {
      await here.quotas.take([useOf({ ...QUICK, windowMs: 1 })], 0, never);
      await systemClock.sleep(200);
      await here.sweep();
      if (redisUrl !== null) return;
      const rows = await database.db
        .selectFrom('heavy_slots')
        .select('caller')
        .where('until', '<', new Date())
        .execute();
      assert.deepEqual(rows, []);
    });

    test('a store that goes away neither stops calls nor lets all of them through', async () => {
      const proxy = await proxyTo(redisUrl ?? String(database.database.pool?.options.connectionString));
      const far = redisUrl === null ? await openDatabase({ kind: 'postgres', url: proxy.url }) : null;
      const cutOff = await open(far === null ? { redisUrl: proxy.url } : { database: far });
      const use = useOf(HOURLY);
      for (let call = 0; call < 4; call++) await cutOff.quotas.take([use], 0, never);
      proxy.close();
      for (let call = 4; call < HOURLY.amount; call++) await cutOff.quotas.take([use], 0, never);
      await assert.rejects(cutOff.quotas.take([use], 0, never), QuotaSpent);
      assert.equal(await cutOff.turns.take(use.key, 60_000), 0);
      assert.ok((await cutOff.turns.take(use.key, 60_000)) > 0);
      await cutOff.close();
      await far?.close();
    });
  });
}
