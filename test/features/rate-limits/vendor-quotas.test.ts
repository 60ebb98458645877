import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MemoryQuotaLog, type QuotaLog } from '../../../src/features/rate-limits/quota-log.ts';
import { SharedQuotaLog } from '../../../src/features/rate-limits/rate-limits.ts';
import { StoreOutage } from '../../../src/features/rate-limits/shared-counter.ts';
import { VendorQuotas } from '../../../src/features/rate-limits/vendor-quotas.ts';
import { SimulatedClock } from '../../../src/platform/clock.ts';
import { type Quota, QuotaSpent, type QuotaUse } from '../../../src/platform/quotas.ts';

const never = new AbortController().signal;
const BASE: Quota = { name: 'base', amount: 5, windowMs: 1000 };
const USER: Quota = { name: 'user', amount: 3, windowMs: 10_000 };
const of = (quota: Quota, key = 'ada'): QuotaUse => ({ quota, key });

function quotasOf(log?: QuotaLog) {
  const clock = new SimulatedClock(1_000_000);
  const memory = new MemoryQuotaLog(clock);
  return { clock, memory, quotas: new VendorQuotas(clock, { log: log ?? memory, blind: (key) => key }) };
}

/** So many callers at once; when each was let through, in order. */
function callers(
  { clock, quotas }: ReturnType<typeof quotasOf>,
  count: number,
  uses: readonly QuotaUse[],
): { readonly through: number[]; readonly all: Promise<unknown> } {
  const through: number[] = [];
  const take = async () => {
    await quotas.take(uses, 3_600_000, never);
    through.push(clock.now());
  };
  return { through, all: Promise.all(Array.from({ length: count }, take)) };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** The most that were let through in any stretch of the length. */
function most(through: readonly number[], windowMs: number): number {
  return Math.max(
    ...through.map((from) => through.filter((at) => at >= from && at < from + windowMs).length),
  );
}

describe('a quota', () => {
  test('lets as many through at once as it allows, and holds in every stretch of its length', async () => {
    const scene = quotasOf();
    const { clock, quotas } = scene;
    await quotas.take([of(BASE)], 0, never);
    clock.advance(950);
    const { through, all } = callers(scene, 40, [of(BASE)]);
    await settled();
    assert.equal(through.length, 4);
    await clock.runFor(60_000);
    await all;
    assert.equal(most([1_000_000, ...through], BASE.windowMs), BASE.amount);
    assert.ok(
      (through.at(-1) ?? 0) - (through[0] ?? 0) <= 12_000,
      'waiting takes hardly longer than it must',
    );
  });

  test('counts for each key on its own: anyone who uses theirs up makes no one else wait', async () => {
    const scene = quotasOf();
    const greedy = callers(scene, 500, [of(BASE, 'greedy')]);
    await settled();
    const modest = callers(scene, 5, [of(BASE, 'modest')]);
    await settled();
    assert.equal(modest.through.length, 5);
    await scene.clock.runFor(200_000);
    await Promise.all([greedy.all, modest.all]);
  });

  test('that is used up for longer than the caller can wait is spent at once, with the time it takes', async () => {
    const { clock, quotas } = quotasOf();
    for (let count = 0; count < USER.amount; count++) await quotas.take([of(USER)], 0, never);
    clock.advance(4000);
    await assert.rejects(quotas.take([of(USER)], 5000, never), (error) => {
      assert.ok(error instanceof QuotaSpent);
      assert.ok(error.retryAfterMs >= 6000 && error.retryAfterMs <= 6500, String(error.retryAfterMs));
      assert.doesNotMatch(error.message, /ada/);
      return true;
    });
    assert.equal(clock.sleeping, 0);
  });

  test('is waited for until the caller leaves', async () => {
    const { clock, quotas } = quotasOf();
    for (let count = 0; count < USER.amount; count++) await quotas.take([of(USER)], 0, never);
    const leaving = new AbortController();
    const waiting = quotas.take([of(USER)], 60_000, leaving.signal);
    await settled();
    const reason = new Error('called off');
    leaving.abort(reason);
    await assert.rejects(waiting, (error) => error === reason);
    assert.equal(clock.sleeping, 0);
    await assert.rejects(quotas.take([], 0, leaving.signal), (error) => error === reason);
  });

  test('is not used by a call that waits for another quota', async () => {
    const scene = quotasOf();
    const { clock, quotas } = scene;
    for (let count = 0; count < USER.amount; count++) await quotas.take([of(USER)], 0, never);
    const both = callers(scene, 3, [of(BASE), of(USER)]);
    await settled();
    assert.equal(both.through.length, 0);
    const base = callers(scene, BASE.amount, [of(BASE)]);
    await settled();
    assert.equal(base.through.length, BASE.amount);
    await clock.runFor(30_000);
    await Promise.all([both.all, base.all]);
    assert.equal(most(both.through, USER.windowMs), USER.amount);
  });

  test('of the same name counts twice in one call that names it twice', async () => {
    const { quotas } = quotasOf();
    await quotas.take([of(USER), of(USER)], 0, never);
    await assert.rejects(quotas.take([of(USER), of(USER)], 0, never), QuotaSpent);
    await quotas.take([of(USER)], 0, never);
  });

  test('is not held up by a clock that was set back', async () => {
    let now = 1_000_000;
    const clock = Object.assign(new SimulatedClock(0), { now: () => now });
    const quotas = new VendorQuotas(clock, { log: new MemoryQuotaLog(clock), blind: (key) => key });
    for (let count = 0; count < USER.amount; count++) await quotas.take([of(USER)], 0, never);
    now -= 900_000;
    await quotas.take([of(USER)], 0, never);
  });

  test('of keys that no one uses any more takes no memory', async () => {
    const { clock, memory, quotas } = quotasOf();
    for (let key = 0; key < 5000; key++) {
      await quotas.take([of(USER, `key-${key}`)], 0, never);
      clock.advance(100);
    }
    assert.ok(memory.size <= 1000, String(memory.size));
  });
});

/** How long a call counts, since it may reach the vendor late. */
const COUNTS_MS = USER.windowMs + 100;

describe('what is known of a quota', () => {
  test('is what this process used of it, until the shared log refuses a call: then nothing is left', async () => {
    const { clock, memory, quotas } = quotasOf();
    await quotas.take([of(USER)], 0, never);
    assert.deepEqual(quotas.state().get('user'), { per: 'holder', left: USER.amount, waitSeconds: 0 });
    // Another process.
    for (let call = 1; call < USER.amount; call++) memory.note('user:ada', `other ${call}`, COUNTS_MS);
    clock.advance(4000);
    await assert.rejects(quotas.take([of(USER)], 0, never), QuotaSpent);
    assert.deepEqual(quotas.state().get('user')?.left, 0);
    const wait = quotas.state().get('user')?.waitSeconds ?? 0;
    assert.ok(wait > 5 && wait < 6.5, String(wait));
    clock.advance(6500);
    assert.deepEqual(quotas.state().get('user'), { per: 'holder', left: USER.amount, waitSeconds: 0 });
  });

  test('is of the user who waits longest, and of the next when that one may make calls', async () => {
    const { clock, memory, quotas } = quotasOf();
    const useUp = (key: string) => {
      for (let call = 0; call < USER.amount; call++) memory.note(`user:${key}`, `${call}`, COUNTS_MS);
    };
    useUp('ada');
    clock.advance(3000);
    useUp('bea');
    await assert.rejects(quotas.take([of(USER, 'bea')], 0, never), QuotaSpent);
    await assert.rejects(quotas.take([of(USER, 'ada')], 0, never), QuotaSpent);
    await quotas.take([of(USER, 'eve')], 0, never);
    assert.equal(quotas.state().get('user')?.waitSeconds, COUNTS_MS / 1000);
    memory.forget('user:bea', '0');
    await quotas.take([of(USER, 'bea')], 0, never);
    assert.equal(quotas.state().get('user')?.waitSeconds, (COUNTS_MS - 3000) / 1000);
    memory.forget('user:ada', '0');
    await quotas.take([of(USER, 'ada')], 0, never);
    assert.equal(quotas.state().get('user')?.waitSeconds, 0);
  });

  test('says whether all owners share it', async () => {
    const { quotas } = quotasOf();
    await quotas.take([of(USER), of({ ...BASE, shared: true })], 0, never);
    assert.deepEqual(
      [...quotas.state()].map(([name, { per }]) => [name, per]),
      [
        ['user', 'holder'],
        ['base', 'service'],
      ],
    );
  });

  test('is kept of a bounded number of users', async () => {
    const { clock, memory, quotas } = quotasOf();
    for (let user = 0; user < 3000; user++) {
      for (let call = 0; call < USER.amount; call++) memory.note(`user:${user}`, `${call}`, COUNTS_MS);
      await assert.rejects(quotas.take([of(USER, String(user))], 0, never), QuotaSpent);
    }
    assert.equal(quotas.waiting, 1000);
    assert.equal(quotas.state().get('user')?.waitSeconds, COUNTS_MS / 1000);
    clock.advance(COUNTS_MS);
    assert.equal(quotas.state().get('user')?.waitSeconds, 0);
    assert.equal(quotas.waiting, 0);
  });

  test('is not a longer wait than the log said if the clock is set back', async () => {
    let now = 1_000_000;
    const clock = Object.assign(new SimulatedClock(0), { now: () => now });
    const quotas = new VendorQuotas(clock, { log: new MemoryQuotaLog(clock), blind: (key) => key });
    for (let count = 0; count < USER.amount; count++) await quotas.take([of(USER)], 0, never);
    await assert.rejects(quotas.take([of(USER)], 0, never), QuotaSpent);
    now -= 900_000;
    assert.equal(quotas.state().get('user')?.waitSeconds, 0);
  });
});

describe('a store that fails', () => {
  function onStore() {
    const clock = new SimulatedClock(1_000_000);
    const state = { down: false, asked: 0 };
    const far = new MemoryQuotaLog(clock);
    const answer = async <T>(found: () => T): Promise<T> => {
      state.asked += 1;
      if (state.down) throw new Error('connection refused');
      return found();
    };
    const store: QuotaLog = {
      take: (key, call, bounds) => answer(() => far.take(key, call, bounds)),
      forget: (key, call) => answer(() => far.forget(key, call)),
    };
    const outage = new StoreOutage(clock, { warn: () => undefined }, 5000);
    const log = new SharedQuotaLog({ store, own: new MemoryQuotaLog(clock), outage });
    return { clock, state, far, quotas: new VendorQuotas(clock, { log, blind: (key) => key }) };
  }

  test('leaves the process its own count, with the calls it made before', async () => {
    const { clock, state, quotas } = onStore();
    await quotas.take([of(USER)], 0, never);
    await quotas.take([of(USER)], 0, never);
    state.down = true;
    await quotas.take([of(USER)], 0, never);
    await assert.rejects(quotas.take([of(USER)], 0, never), QuotaSpent);
    assert.equal(state.asked, 3);
    clock.advance(5000);
    state.down = false;
    await quotas.take([of(USER)], 0, never);
    assert.equal(state.asked, 4);
  });

  test('decides while it answers, also on what other processes did', async () => {
    const { far, quotas } = onStore();
    for (let call = 0; call < USER.amount; call++) far.take('user:ada', `${call}`, USER);
    await assert.rejects(quotas.take([of(USER)], 0, never), QuotaSpent);
  });
});
