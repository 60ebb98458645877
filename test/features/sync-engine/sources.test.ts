import assert from 'node:assert/strict';
import { after, afterEach, beforeEach, describe, test } from 'node:test';
import type { ErrorCode } from '../../../src/vocabulary/error-codes.ts';
import { ServiceError } from '../../../src/vocabulary/service-error.ts';
import { posted } from './support/bank.ts';
import { closeDatabase, World } from './support/world.ts';

let world: World;
beforeEach(async () => {
  world = await World.open();
});
afterEach(() => world.close());
after(closeDatabase);

describe('an account that cannot be read', () => {
  test('does not stop the others, keeps its cursor, and says why on its line', async () => {
    const [good, bad, also] = [world.account(), world.account(), world.account()];
    for (const [index, account] of [good, bad, also].entries())
      world.bank.accounts.set(account, [posted(index)]);
    world.bank.refusal = (account) => (account === bad ? new ServiceError('upstream_unavailable') : null);
    const sync = await world.sync([good, bad, also]);
    const run = await world.run(sync);
    assert.deepEqual([run.status, run.failure, run.added], ['failed', 'run_failed', 2]);
    const { lines } = await world.runs.read(world.owner.id, run.id, true);
    assert.deepEqual(
      lines?.map((line) => [line.status, line.failure, line.added]),
      [
        ['succeeded', null, 1],
        ['failed', 'upstream_unavailable', 0],
        ['succeeded', null, 1],
      ],
    );
    world.bank.refusal = () => null;
    const windows = world.bank.windows.length;
    assert.equal((await world.run(sync)).added, 1);
    assert.deepEqual(
      world.bank.windows.slice(windows).map((window) => window.since === null),
      [false, true, false],
    );
    assert.equal((await world.syncs.read(world.owner.id, sync.row.id)).row.attention, null);
  });

  test('is named on its line, and each line counts what was read, also where the destination ended the run', async () => {
    const [bad, first, second] = [world.account(), world.account(), world.account()];
    for (const account of [bad, first, second]) world.bank.accounts.set(account, [posted(1), posted(2)]);
    world.bank.refusal = (account) => (account === bad ? new ServiceError('upstream_unavailable') : null);
    world.receiver.behave = () => ({ status: 422 });
    const sync = await world.sync([bad, first, second]);
    const run = await world.run(sync);
    assert.deepEqual([run.status, run.failure, run.processed], ['failed', 'run_failed', 4]);
    const { lines = null } = await world.runs.read(world.owner.id, run.id, true);
    assert.deepEqual(
      lines?.map((line) => [line.status, line.failure, line.processed, line.added]),
      [
        ['failed', 'upstream_unavailable', 0, 0],
        ['incomplete', null, 2, 0],
        ['incomplete', null, 2, 0],
      ],
    );
  });

  test('halfway through delivers what was read and goes on from there', async () => {
    const account = world.account();
    world.bank.accounts.set(
      account,
      Array.from({ length: 1000 }, (_, index) => posted(index)),
    );
    const sync = await world.sync([account]);
    world.bank.beforePage = (_account, page) => {
      if (page === 3) throw new ServiceError('upstream_timeout');
    };
    const first = await world.run(sync);
    assert.deepEqual([first.status, first.failure, first.added], ['failed', 'timeout', 600]);
    world.bank.beforePage = () => undefined;
    const second = await world.run(sync);
    assert.deepEqual([second.status, second.added], ['succeeded', 400]);
    assert.ok([...world.receiver.newCounts().values()].every((count) => count === 1));
  });

  const expectations: [ErrorCode, string, boolean, string][] = [
    ['upstream_auth_failed', 'run_failed', false, 'connection_lost'],
    ['account_unavailable', 'run_failed', false, 'account_unavailable'],
    ['upstream_failed', 'run_failed', true, 'data_invalid'],
    ['upstream_unavailable', 'run_failed', true, 'run_failed'],
    ['upstream_rate_limited', 'rate_limited', true, 'run_failed'],
    ['provider_wait', 'rate_limited', true, 'run_failed'],
    ['upstream_timeout', 'timeout', true, 'run_failed'],
  ];
  for (const [code, failure, retryable, attention] of expectations) {
    test(`with ${code} ends the run as ${failure} and asks for attention as ${attention}`, async () => {
      world.bank.refusal = () => new ServiceError(code);
      const sync = await world.sync([world.account()]);
      const run = await world.run(sync);
      assert.deepEqual([run.failure, run.retryable], [failure, retryable]);
      const { row } = await world.syncs.read(world.owner.id, sync.row.id);
      assert.equal(row.attention, attention);
      const soon = (row.next_run_at?.getTime() ?? 0) - world.clock.now() <= 15 * 60_000;
      if (retryable) assert.ok(soon, 'a failure that may pass is tried again soon');
    });
  }

  test('keeps an unconfirmed chunk waiting for a day, then it goes without that account', async () => {
    const [one, two] = [world.account(), world.account()];
    world.bank.accounts.set(one, [posted(1)]);
    world.bank.accounts.set(two, [posted(2)]);
    const sync = await world.sync([one, two]);
    world.receiver.behave = (request) => (request === 0 ? 'drop_before' : 'ok');
    await world.run(sync);
    world.bank.refusal = (account) => (account === one ? new ServiceError('upstream_unavailable') : null);
    assert.equal((await world.run(sync)).added, 0);
    assert.equal(world.receiver.requests.length, 1);
    await world.clock.runFor(25 * 3_600_000);
    assert.equal((await world.run(sync)).added, 1);
    assert.deepEqual([...world.receiver.rows().keys()], ['txn_fk_row_0000002']);
    world.bank.refusal = () => null;
    const last = await world.run(sync);
    assert.deepEqual([last.status, last.added, last.updated], ['succeeded', 0, 1]);
    assert.equal(world.receiver.rows().size, 2);
    assert.equal(world.receiver.requests[1]?.event.id, world.receiver.requests[0]?.event.id);
  });

  test('a failure of our own ends the run and is not blamed on the destination', async () => {
    const account = world.account();
    const sync = await world.sync([account]);
    world.bank.beforePage = () => {
      throw new TypeError('a bug');
    };
    const run = await world.run(sync);
    assert.deepEqual([run.status, run.failure, run.retryable], ['failed', 'run_failed', true]);
    assert.equal((await world.destinations.read(world.owner.id, sync.destination.id)).row.failed_runs, 0);
  });
});
