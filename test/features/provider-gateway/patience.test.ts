import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { Breakers, ConcurrencyLimit } from '../../../src/features/provider-gateway/call-guards.ts';
import { type Clock, systemClock } from '../../../src/platform/clock.ts';
import { retryBudgetClock, retryBudgetLeftMs, withRetryBudget } from '../../../src/platform/retry-budget.ts';
import { rowId } from '../../../src/vocabulary/ids.ts';
import { DEFAULT_LIMITS } from '../../../src/vocabulary/limits.ts';
import { UpstreamFailure } from '../../../src/vocabulary/upstream-failures.ts';
import { all, EVER, never, openGateway } from './open-gateway.ts';

const ownerId = () => rowId('account_record', randomUUID());
const WINDOW = { ...EVER, since: null };
const ROWS = 'GET /v1/banking/transactions';

describe('a job in the background that waits for a provider', () => {
  test('gives its place among the calls to others, and takes one again before it asks', async () => {
    const limits = { ...DEFAULT_LIMITS, provider_calls: 1 };
    const limit = new ConcurrencyLimit(limits, systemClock);
    const call = { provider: 'au_banking', institution: 'bank', about: null } as const;
    const steps: string[] = [];
    const away = Promise.withResolvers<void>();
    const clock: Clock = { now: () => 0, sleep: () => away.promise };
    const job = withRetryBudget(45_000, () =>
      limit.run({ ...call, owner: ownerId() }, never, async () => {
        steps.push('the job asks');
        await retryBudgetClock(clock)?.clock.sleep(1000);
        steps.push('the job asks again');
      }),
    );
    await limit.run({ ...call, owner: ownerId() }, never, async () => {
      steps.push('a person asks');
    });
    const holding = Promise.withResolvers<void>();
    const person = limit.run({ ...call, owner: ownerId() }, never, async () => {
      away.resolve();
      await holding.promise;
      steps.push('a second person is answered');
    });
    await away.promise;
    await new Promise((resolve) => setImmediate(resolve));
    holding.resolve();
    await Promise.all([job, person]);
    assert.deepEqual(steps, [
      'the job asks',
      'a person asks',
      'a second person is answered',
      'the job asks again',
    ]);
  });

  test('has none for the call that tries whether the bank is back', async () => {
    const breakers = new Breakers({ failures: 1, restMs: 0 });
    const call = { provider: 'au_banking', institution: 'bank', owner: null, about: null } as const;
    const left = () => withRetryBudget(45_000, () => breakers.run(call, async () => retryBudgetLeftMs()));
    assert.equal(await left(), 45_000);
    const failing = breakers.run(call, () => Promise.reject(new UpstreamFailure('server_error', 'Away.')));
    await assert.rejects(failing, UpstreamFailure);
    assert.equal(await left(), 0);
    assert.equal(await left(), 45_000, 'it is back');
  });

  test('waits for an open breaker, and asks no one meanwhile', async () => {
    const bank = await openGateway({ breaker: { failures: 1, restMs: 300 } });
    try {
      const [account] = await bank.link('sole-trader', { caching: false });
      assert.ok(account);
      bank.bank.simulator.control.addFault({ route: ROWS, kind: 'server-error', count: 2 });
      const read = () => all(bank.gateway.transactions.stream(account, WINDOW, never));
      await assert.rejects(read(), { code: 'upstream_unavailable' });
      bank.asked(ROWS.slice(4));
      await assert.rejects(read(), { code: 'upstream_unavailable' }, 'a person hears so at once');
      assert.equal(bank.asked(ROWS.slice(4)), 0);
      const moving = setInterval(() => void bank.clock.advance(1_000), 20);
      const rows = await withRetryBudget(600_000, read).finally(() => clearInterval(moving));
      assert.ok(rows.length > 0);
    } finally {
      await bank.close();
    }
  });

  test('goes on in the middle of a list, with every row once', async () => {
    const bank = await openGateway();
    try {
      const [account] = await bank.link('ten-thousand-rows', { caching: false });
      assert.ok(account);
      const whole = await all(bank.gateway.transactions.stream(account, WINDOW, never));
      const { control } = bank.bank.simulator;
      const restart = () => control.addFault({ route: ROWS, kind: 'connection-reset', after: 2, count: 6 });
      restart();
      const read = () => all(bank.gateway.transactions.stream(account, WINDOW, never));
      await assert.rejects(read(), { code: 'upstream_unavailable' });
      control.clearFaults();
      restart();
      const ids = (await withRetryBudget(45_000, read)).map(({ id }) => id);
      assert.deepEqual(
        ids,
        whole.map(({ id }) => id),
      );
    } finally {
      await bank.close();
    }
  });
});
