import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { HeavySlot } from '../../../src/features/rate-limits/heavy-slots.ts';
import { openRateLimits, type RateLimits } from '../../../src/features/rate-limits/rate-limits.ts';
import type { CountedCaller, TierUsage } from '../../../src/features/rate-limits/tier-limits.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { type Keyring, newKeyEntry, parseKeyring } from '../../../src/platform/keyring.ts';
import { newRowId } from '../../../src/platform/row-id.ts';
import { openDatabase } from '../../../src/storage/database.ts';
import { CALLER_KIND_NAMES, CALLER_KINDS } from '../../../src/vocabulary/caller-kinds.ts';
import { rowId } from '../../../src/vocabulary/ids.ts';
import { DEFAULT_LIMITS, type Limits } from '../../../src/vocabulary/limits.ts';
import { ServiceError } from '../../../src/vocabulary/service-error.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { withPatience } from '../../support/patience.ts';
import { startService } from '../../support/service.ts';
import { proxyTo } from '../../support/store-proxy.ts';
import { v2Client } from '../../support/v2-client.ts';

const LIMITS = {
  ...DEFAULT_LIMITS,
  rate_cheap_per_minute: 5,
  rate_account_keys: 2,
  heavy_in_flight: 2,
  auth_failures_per_minute: 3,
  auth_attempts_per_minute: 10,
};
const silent = { warn: () => undefined };

for (const [name, variable] of [
  ['Redis', 'REDIS_URL'],
  ['Postgres', 'DATABASE_URL'],
] as const) {
  const server = process.env[variable];
  describe(`limits shared in ${name}`, {
    skip: server === undefined ? `${variable} is not set` : false,
  }, () => {
    let database: TestDatabase;
    let here: RateLimits;
    let there: RateLimits;
    let keyring: Keyring;
    const redisUrl = variable === 'REDIS_URL' ? (server ?? null) : null;
    const open = (more: { keyring?: Keyring; windowSeconds?: number; limits?: Limits } = {}) =>
      openRateLimits({
        redisUrl,
        database: database.database,
        keyring,
        limits: LIMITS,
        clock: systemClock,
        log: silent,
        ...more,
      });
    before(async () => {
      database = await openTestDatabase();
      keyring = parseKeyring(newKeyEntry(), 'test');
      here = await open();
      there = await open();
    });
    after(async () => {
      await here.close();
      await there.close();
      await database.close();
    });

    const caller = (): CountedCaller => ({
      kind: 'api_key',
      id: newRowId(systemClock),
      accountRecord: { id: rowId('account_record', newRowId(systemClock)) },
    });

    /** A place for a heavy request; null if there is none. */
    const place = async (limits: RateLimits, who: CountedCaller): Promise<HeavySlot | null> => {
      try {
        return await limits.heavy.take(who);
      } catch (error) {
        assert.ok(
          error instanceof ServiceError && error.code === 'too_many_concurrent_requests',
          String(error),
        );
        return null;
      }
    };

    let others = 0;
    const sharing = CALLER_KIND_NAMES.filter((kind) => CALLER_KINDS[kind].rates === 'keys');
    /** Another caller of the same account record and its pool, each of another kind than the one before. */
    const otherThan = ({ accountRecord }: CountedCaller): CountedCaller => {
      const kind = sharing[others++ % sharing.length] ?? 'api_key';
      return { kind, id: newRowId(systemClock), accountRecord };
    };

    test('all callers of an account record get together what so many keys may, whichever process they ask', async () => {
      const who = caller();
      const usages: TierUsage[] = [];
      for (let count = 0; count < 3; count++) {
        const [one, other] = [otherThan(who), otherThan(who)];
        for (let asked = 0; asked < 5; asked++)
          usages.push(
            await (asked % 2 === 0 ? here : there).tiers.count(count % 2 === 0 ? one : other, 'cheap'),
          );
      }
      const refused = usages.filter(({ used, limit }) => used > limit);
      assert.deepEqual(
        refused.map(({ limit, of }) => ({ limit, of })),
        Array.from({ length: 5 }, () => ({ limit: 10, of: 'account_record' })),
      );
      const keys = Array.from({ length: 5 }, () => otherThan(who));
      const taken = await Promise.all(keys.map((key, at) => place(at % 2 === 0 ? here : there, key)));
      assert.equal(taken.filter((slot) => slot !== null).length, 4);
      assert.ok(await place(here, otherThan(caller())));
    });

    test('sessions of an account record have a count and places of their own', async () => {
      const { accountRecord } = caller();
      const key = { kind: 'api_key', id: newRowId(systemClock), accountRecord } as const;
      const session = { ...key, kind: 'session' } as const;
      for (let asked = 0; asked < 6; asked++) await here.tiers.count(key, 'cheap');
      const { used, limit } = await there.tiers.count(session, 'cheap');
      assert.deepEqual([used, limit], [1, DEFAULT_LIMITS.rate_session_cheap_per_minute]);
      assert.ok((await place(here, key)) && (await place(there, key)));
      assert.equal(await place(here, key), null);
      assert.ok(await place(here, session));
    });

    test('two processes that ask at the same moment get together exactly what one may', async () => {
      const who = caller();
      const asked = Array.from({ length: 8 }, (_, at) =>
        (at % 2 === 0 ? here : there).tiers.count(who, 'cheap'),
      );
      const tallies = await Promise.all(asked);
      assert.equal(tallies.filter(({ used }) => used <= 5).length, 5);
      const resets = tallies.map(({ resetsAt }) => resetsAt);
      assert.ok(Math.max(...resets) - Math.min(...resets) < 10_000);
      assert.equal((await here.tiers.count(caller(), 'cheap')).used, 1);
      assert.equal((await here.tiers.count(who, 'mid')).used, 1);
    });

    describe('counts taken in blocks', () => {
      const MOST = 640;
      /** What a block may be at most. */
      const BLOCK = MOST / 32;
      /** Patient processes on a window that does not end: nothing but the limit decides. */
      const openMany = (count: number): Promise<RateLimits[]> => {
        const limits = {
          ...LIMITS,
          rate_cheap_per_minute: MOST,
          rate_account_keys: 3,
          count_store_deadline_ms: 60_000,
        };
        const fresh = { keyring: parseKeyring(newKeyEntry(), 'test'), windowSeconds: 900, limits };
        return Promise.all(Array.from({ length: count }, () => open(fresh)));
      };
      /** How many requests are allowed, asked at once on a few connections, until the first is refused or `most` are. */
      const allowedBy = async (limits: RateLimits, who: CountedCaller, most = Infinity): Promise<number> => {
        let [asked, allowed] = [0, 0];
        const connection = async (): Promise<void> => {
          while (asked++ < most) {
            const { used, limit } = await limits.tiers.count(who, 'cheap');
            if (used > limit) return;
            allowed += 1;
          }
        };
        await Promise.all(Array.from({ length: 4 }, connection));
        return allowed;
      };
      const total = (counts: readonly number[]): number => counts.reduce((all, one) => all + one, 0);

      for (const count of [2, 3]) {
        test(`${count} processes that ask at the same time get together exactly the limit`, async () => {
          const processes = await openMany(count);
          const who = caller();
          const allowed = await Promise.all(processes.map((one) => allowedBy(one, who)));
          for (const one of processes) await one.close();
          assert.equal(total(allowed), MOST);
        });
      }

      test('a process that ends loses no more than its block', async () => {
        const [first, second] = await openMany(2);
        assert.ok(first && second);
        const who = caller();
        const before = await allowedBy(first, who, 200);
        await first.close();
        const after = await allowedBy(second, who);
        await second.close();
        assert.equal(before, 200);
        assert.ok(before + after <= MOST && before + after >= MOST - BLOCK, `${before + after} of ${MOST}`);
      });

      test('one greedy owner takes no counts from another', async () => {
        const processes = await openMany(2);
        const [greedy, other] = [caller(), caller()];
        const taken = await Promise.all(
          processes.flatMap((one) => [allowedBy(one, other), allowedBy(one, greedy)]),
        );
        const keys = Array.from({ length: 4 }, () => otherThan(greedy));
        const more = await Promise.all(keys.map((key, at) => allowedBy(processes[at % 2] ?? here, key)));
        for (const one of processes) await one.close();
        assert.equal(total(taken), 2 * MOST);
        assert.ok(total(more) <= 2 * MOST && total(more) >= 2 * MOST - 2 * BLOCK * 3, `${total(more)}`);
      });
    });

    test('a window ends', async () => {
      await withPatience([1000, 10_000], async (ms) => {
        const quick = await open({
          windowSeconds: ms / 1000,
          keyring: parseKeyring(newKeyEntry(), 'test'),
        });
        try {
          const who = caller();
          for (let count = 0; count < 6; count++) await quick.tiers.count(who, 'cheap');
          const { used, resetsAt } = await quick.tiers.count(who, 'cheap');
          assert.ok(used > 5 && resetsAt > Date.now() && resetsAt <= Date.now() + ms + 100);
          await systemClock.sleep(resetsAt - Date.now() + 50);
          assert.equal((await quick.tiers.count(who, 'cheap')).used, 1);
          await quick.sweep();
        } finally {
          await quick.close();
        }
      });
    });

    test('failures in one process are seen by the other before it looks at a key', async () => {
      for (let count = 0; count < 3; count++)
        await here.attempts.fail(await here.attempts.arrive('192.0.2.1', 'k'));
      await assert.rejects(async () => there.attempts.arrive('192.0.2.1', 'k'), refused);
      await there.attempts.arrive('192.0.2.1', 'other');
      for (let count = 0; count < 10; count++)
        await (count % 2 === 0 ? here : there).attempts.arrive('192.0.2.2', '');
      await assert.rejects(async () => here.attempts.arrive('192.0.2.2', ''), refused);
    });

    test('places are shared, come back when freed, and on their own when their process died', async () => {
      const who = caller();
      const taken = await Promise.all([place(here, who), place(there, who), place(here, who)]);
      assert.equal(taken.filter((slot) => slot !== null).length, 2);
      assert.equal(await place(there, who), null);
      taken.find((slot) => slot !== null)?.free();
      let again = await place(there, who);
      while (again === null) again = await place(there, who);
      assert.equal(await place(here, who), null);

      // A place is held for a minute more than a read may take.
      await withPatience([300, 8000], async (ms) => {
        const short = await openRateLimits({
          redisUrl,
          database: database.database,
          keyring,
          limits: { ...LIMITS, read_deadline_ms: ms - 60_000 },
          clock: systemClock,
          log: silent,
        });
        const other = caller();
        try {
          await place(short, other);
          await place(short, other);
          assert.equal(await place(here, other), null);
        } finally {
          await short.close();
        }
        await systemClock.sleep(ms + 50);
        assert.ok(await place(here, other));
      });
    });

    test('a store that goes away neither stops requests nor lets all of them through', async () => {
      const proxy = await proxyTo(redisUrl ?? String(database.database.pool?.options.connectionString));
      const far =
        redisUrl === null ? await openDatabase({ kind: 'postgres', url: proxy.url }) : database.database;
      const cutOff = await openRateLimits({
        redisUrl: redisUrl === null ? null : proxy.url,
        database: far,
        keyring,
        limits: LIMITS,
        clock: systemClock,
        log: silent,
      });
      const who = caller();
      assert.equal((await cutOff.tiers.count(who, 'cheap')).used, 1);
      proxy.close();
      const seen: number[] = [];
      for (let count = 0; count < 7; count++) seen.push((await cutOff.tiers.count(who, 'cheap')).used);
      assert.deepEqual(seen, [1, 2, 3, 4, 5, 6, 7], 'counted by the process alone');
      assert.ok(await place(cutOff, who));
      await cutOff.close();
      if (redisUrl === null) await far.close();
    });

    test('two services on one database count together, and another installation on its own', async (t) => {
      const settings = { ENCRYPTION_KEY: newKeyEntry(), LIMIT_RATE_CHEAP: '4', LIMIT_AUTH_FAILURES: '2' };
      const first = await startService(settings);
      t.after(() => first.close());
      const { databaseUrl } = first.app.config;
      if (databaseUrl === null) return;
      const second = await startService({ ...settings, DATABASE_URL: databaseUrl });
      t.after(() => second.close());
      const owner = await first.owner();
      const elsewhere = v2Client(second.url, owner.key);
      const left: (string | null)[] = [];
      for (const ask of [owner.v2, elsewhere, owner.v2, elsewhere, elsewhere, owner.v2])
        left.push((await ask('GET', '/v2/me')).headers.get('x-ratelimit-remaining'));
      assert.deepEqual(left, ['3', '2', '1', '0', '0', '0']);
      assert.equal((await elsewhere('GET', '/v2/me')).body.error.code, 'rate_limit_exceeded');
      const codes: string[] = [];
      for (const url of [first.url, second.url, second.url, first.url])
        codes.push((await v2Client(url, 'nobody')('GET', '/v2/me')).body.error.code);
      assert.deepEqual(codes, [
        'api_key_invalid',
        'api_key_invalid',
        'too_many_auth_attempts',
        'too_many_auth_attempts',
      ]);
    });
  });
}

function refused(error: unknown): boolean {
  return (
    error instanceof ServiceError &&
    error.code === 'too_many_auth_attempts' &&
    (error.retryAfterSeconds ?? 0) > 0
  );
}
