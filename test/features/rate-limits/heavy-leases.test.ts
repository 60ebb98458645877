import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { CallerSlots, type HeavySlot, MemorySlots } from '../../../src/features/rate-limits/heavy-slots.ts';
import { LeasedSlots, type SlotStore } from '../../../src/features/rate-limits/leased-slots.ts';
import { openRateLimits, type RateLimits } from '../../../src/features/rate-limits/rate-limits.ts';
import { StoreOutage } from '../../../src/features/rate-limits/shared-counter.ts';
import type { CountedCaller } from '../../../src/features/rate-limits/tier-limits.ts';
import { SimulatedClock, systemClock } from '../../../src/platform/clock.ts';
import { type Keyring, newKeyEntry, parseKeyring } from '../../../src/platform/keyring.ts';
import { newRowId } from '../../../src/platform/row-id.ts';
import { rowId } from '../../../src/vocabulary/ids.ts';
import { DEFAULT_LIMITS } from '../../../src/vocabulary/limits.ts';
import { ServiceError } from '../../../src/vocabulary/service-error.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { withPatience } from '../../support/patience.ts';

const LIMITS = {
  ...DEFAULT_LIMITS,
  heavy_in_flight: 2,
  session_heavy_in_flight: 2,
  rate_account_keys: 2,
  rate_user_sessions: 2,
  rate_account_sessions: 3,
  count_store_deadline_ms: 30_000,
};

for (const [name, variable] of [
  ['Redis', 'REDIS_URL'],
  ['Postgres', 'DATABASE_URL'],
] as const) {
  const server = process.env[variable];
  describe(`leases of heavy requests in ${name}`, {
    skip: server === undefined ? `${variable} is not set` : false,
  }, () => {
    let database: TestDatabase;
    let keyring: Keyring;
    const redisUrl = variable === 'REDIS_URL' ? (server ?? null) : null;
    const opened = new Set<RateLimits>();
    /** A process. A lease lasts a minute longer than a read may take. */
    const open = async (leaseMs = 90_000): Promise<RateLimits> => {
      const one = await openRateLimits({
        redisUrl,
        database: database.database,
        keyring,
        limits: { ...LIMITS, read_deadline_ms: leaseMs - 60_000 },
        clock: systemClock,
        log: { warn: () => undefined },
      });
      opened.add(one);
      return one;
    };
    before(async () => {
      database = await openTestDatabase();
      keyring = parseKeyring(newKeyEntry(), 'test');
    });
    after(async () => {
      for (const one of opened) await one.close();
      await database.close();
    });

    const caller = (accountRecord = rowId('account_record', newRowId(systemClock))): CountedCaller => ({
      kind: 'api_key',
      id: newRowId(systemClock),
      accountRecord: { id: accountRecord },
    });
    /** A slot, or the refusal. */
    const take = async (limits: RateLimits, who: CountedCaller): Promise<HeavySlot | string> => {
      try {
        return await limits.heavy.take(who);
      } catch (error) {
        assert.ok(error instanceof ServiceError && error.code === 'too_many_concurrent_requests', `${error}`);
        return error.message;
      }
    };
    const took = async (limits: RateLimits, who: CountedCaller): Promise<boolean> =>
      typeof (await take(limits, who)) !== 'string';

    test('a request keeps its slot for as long as it takes, and a process that died loses its slots', async () => {
      await withPatience([600, 8_000], async (ms) => {
        const [alive, dying, other] = [await open(ms), await open(ms), await open()];
        const [who, gone] = [caller(), caller()];
        const slots = [await take(alive, who), await take(alive, who)];
        assert.ok((await took(dying, gone)) && (await took(dying, gone)));
        assert.ok(!(await took(other, gone)));
        opened.delete(dying);
        await dying.close();
        await systemClock.sleep(ms * 2);
        assert.ok(!(await took(other, who)), 'the slots of a request in progress are taken');
        assert.ok(await took(other, gone), 'those of a dead process are free');
        for (const slot of slots) if (typeof slot !== 'string') slot.free();
        await systemClock.sleep(ms);
        assert.ok(await took(other, who), 'a slot that was freed is not renewed');
      });
    });

    test('a request takes a slot at every level or at none, and a refusal names the level that was full', async () => {
      const [here, there] = [await open(), await open()];
      const [one, two] = [caller(), caller()];
      const [next, third] = [caller(one.accountRecord.id), caller(one.accountRecord.id)];
      const slots = [await take(here, one), await take(there, one)];
      assert.match(String(await take(here, one)), /^This key has 2 heavy requests/);
      assert.ok((await took(here, next)) && (await took(there, next)));
      assert.match(String(await take(here, third)), /keys and apps of this account record together have 4 /);
      assert.match(String(await take(here, next)), /^This key has 2 /, 'the narrowest level of several');
      assert.ok(await took(here, two), 'another account record has its own');
      // What was refused because the account record had none left uses up nothing of the caller.
      for (const slot of slots) if (typeof slot !== 'string') slot.free();
      let free = await take(there, third);
      while (typeof free === 'string') free = await take(there, third);
      assert.ok(await took(here, third));
    });

    test('sessions of one person have their part, and an id that contains another is another', async () => {
      const limits = await open();
      const user = rowId('user', newRowId(systemClock));
      const { accountRecord } = caller();
      const session = (person = user): CountedCaller => ({
        kind: 'session',
        id: newRowId(systemClock),
        accountRecord,
        user: person,
      });
      for (let count = 0; count < 4; count++) assert.ok(await took(limits, session()));
      assert.match(String(await take(limits, session())), /sessions of this person together have 4 /);
      assert.ok(await took(limits, session(rowId('user', newRowId(systemClock)))));
      const key = caller();
      const counted = { ...key, id: `v1 ${key.id}` };
      for (const who of [key, counted]) assert.ok((await took(limits, who)) && (await took(limits, who)));
    });

    test('requests at the same moment in several processes get together exactly the slots there are', async () => {
      const processes = [await open(), await open(), await open()];
      for (let round = 0; round < 5; round++) {
        const first = caller();
        const callers = [first, ...Array.from({ length: 3 }, () => caller(first.accountRecord.id))];
        const asked = callers.flatMap((who) => processes.map((one) => took(one, who)));
        assert.equal((await Promise.all(asked)).filter(Boolean).length, 4);
      }
    });
  });
}

test('a slot of all levels is one question to the store, and so is its release', async () => {
  const asked: string[] = [];
  const store: SlotStore = {
    take: async (_accountRecord, { levels }) => {
      asked.push(`take ${levels.length}`);
      return null;
    },
    free: async (_accountRecord, leases) => void asked.push(`free ${leases.length}`),
    renew: async () => undefined,
  };
  const log = { warn: () => undefined };
  const outage = new StoreOutage(systemClock, log, 30_000);
  const own = new MemorySlots();
  using slots = new LeasedSlots({ store, own, outage, leaseMs: 60_000, clock: systemClock });
  const pool = { slots, callerPlaces: 1, userPlaces: 2, accountRecordPlaces: 3 };
  const accountRecord = { id: rowId('account_record', newRowId(systemClock)) };
  const person = { id: 'session', accountRecord, user: rowId('user', newRowId(systemClock)) };
  const slot = await new CallerSlots({ keys: pool, sessions: pool }).take({ kind: 'session', ...person });
  slot.free();
  assert.deepEqual(asked, ['take 3', 'free 1']);
});

test('renewals of all requests of a process are one statement, repeated until they end, whether it fails or not', async () => {
  await withPatience([90, 3_000], async (leaseMs) => {
    const renewed: number[] = [];
    const store: SlotStore = {
      take: async () => null,
      free: async () => undefined,
      renew: async (leases) => {
        renewed.push([...leases.values()].reduce((count, { size }) => count + size, 0));
        if (renewed.length === 1) throw new Error('connection refused');
      },
    };
    const clock = new SimulatedClock(1_000_000);
    const outage = new StoreOutage(clock, { warn: () => undefined }, 30_000);
    const own = new MemorySlots();
    using slots = new LeasedSlots({ store, own, outage, leaseMs, clock });
    const levels = [{ of: null, places: 9 }];
    const taken = await Promise.all(['one', 'one', 'another'].map((owner) => slots.take(owner, levels)));
    const until = async (count: number): Promise<void> => {
      for (let look = 0; renewed.length < count && look < 50; look++) await systemClock.sleep(leaseMs / 3);
    };
    await until(1);
    clock.advance(5_000);
    await until(3);
    assert.deepEqual(renewed.slice(0, 3), [3, 3, 3]);
    for (const slot of taken) if (typeof slot !== 'number') slot.free();
    const before = renewed.length;
    await systemClock.sleep(leaseMs);
    assert.equal(renewed.length, before, 'nothing is left to renew');
  });
});
