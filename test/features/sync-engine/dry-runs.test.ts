import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import fc from 'fast-check';
import { plainRow, type RowRules } from '../../../src/features/sync-engine/read/source-row.ts';
import type { DryRun } from '../../../src/features/sync-engine/verify/dry-run-result.ts';
import { localDate } from '../../../src/vocabulary/moments.ts';
import { ServiceError } from '../../../src/vocabulary/service-error.ts';
import type { Transaction } from '../../../src/vocabulary/transactions.ts';
import { generated } from '../../support/thorough.ts';
import { pending, posted } from './support/bank.ts';
import { dryRun, stored } from './support/dry-run.ts';
import type { Behaviour } from './support/receiver.ts';
import { closeDatabase, World } from './support/world.ts';

const HOUR = 3_600_000;
const options = { data_from: localDate('2020-01-01'), include_pending: true };
after(closeDatabase);

/** Skips rows that say so, renames others, and leaves the rest. */
const rules: RowRules = (transaction) => {
  const row = plainRow(transaction);
  if (transaction.description.includes('skip')) return { ...row, skipped: true };
  return transaction.description.includes('rename')
    ? { ...row, transaction: { ...transaction, description: 'renamed' }, tags: ['renamed'] }
    : row;
};
const rulesOf = async () => rules;

const total = ({ accounts }: DryRun, of: 'added' | 'updated' | 'removed' | 'skipped' | 'unchanged'): number =>
  accounts.reduce((sum, line) => sum + line[of], 0);

const row = fc.record({
  number: fc.integer({ min: 0, max: 30 }),
  kind: fc.constantFrom('posted', 'posted', 'pending', 'gone'),
  day: fc.integer({ min: 0, max: 49 }),
  cents: fc.constantFrom(-500, -700),
  text: fc.constantFrom('plain', 'skip', 'rename', 'other'),
});
type Entered = typeof row extends fc.Arbitrary<infer Value> ? Value : never;
const step = fc.record({
  rows: fc.array(row, { maxLength: 25 }),
  hours: fc.constantFrom(0, 1, 26, 200),
  fails: fc.constantFrom<Behaviour>('ok', 'ok', 'drop_before', 'drop_after', { status: 500 }),
});

/** The rows of a step are entered on top of those before. */
function changed(before: readonly Transaction[], rows: readonly Entered[]): Transaction[] {
  const all = new Map(before.map((one) => [one.id, one]));
  for (const { number, kind, day, cents, text } of rows) {
    const more = { day, cents, description: `${text} ${number}` };
    if (kind === 'gone') all.delete(posted(number).id);
    const made = kind === 'pending' ? pending(number, more) : posted(number, more);
    if (kind !== 'gone') all.set(made.id, made);
    // A row that posts is no longer pending.
    if (kind === 'posted') all.delete(pending(number).id);
  }
  return [...all.values()];
}

test('a run does exactly what a dry run before it said, and the dry run wrote nothing', {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
      const world = await World.open({ limits: { dry_run_rows: 5000 }, rulesOf: () => rulesOf });
      try {
        const accounts = [world.account(), world.account()] as const;
        const sync = await world.sync(accounts, { options });
        world.bank.pageSize = 7;
        let rows: readonly Transaction[] = [];
        for (const { rows: entered, hours, fails } of steps) {
          rows = changed(rows, entered);
          world.bank.accounts.set(accounts[0], [...rows]);
          world.bank.accounts.set(
            accounts[1],
            rows.filter((_row, at) => at % 3 === 0).map((one) => ({ ...one, id: `${one.id}_b` })),
          );
          world.clock.advance(hours * HOUR);
          await agree(world, sync, fails);
        }
      } finally {
        await world.close();
      }
    }),
    { numRuns: generated(25) },
  );
});

/** Compares a dry run with the run after it. A run that fails leaves an unconfirmed chunk, for the next step. */
async function agree(
  world: World,
  sync: Awaited<ReturnType<World['sync']>>,
  fails: Behaviour,
): Promise<void> {
  const before = await stored(world);
  const from = world.receiver.requests.length;
  const said = await dryRun(world, sync, { rulesOf });
  assert.equal(await stored(world), before);
  assert.equal(world.receiver.requests.length, from);
  world.receiver.behave = () => fails;
  const run = await world.run(sync);
  world.receiver.behave = () => 'ok';
  if (run.status !== 'succeeded') return;
  assert.deepEqual(
    [total(said, 'added'), total(said, 'updated') + total(said, 'removed'), total(said, 'skipped')],
    [run.added, run.updated, run.skipped_by_rules],
  );
  const data = world.receiver.requests.slice(from).map(({ event }) => event.data);
  const ids = (...actions: readonly string[]) =>
    said.rows.filter(({ action }) => actions.includes(action)).map(({ id }) => id);
  assert.deepEqual(
    ids('add', 'update').toSorted(),
    data.flatMap((one) => [...one.new, ...one.updated].map((sent) => sent.transaction)).toSorted(),
  );
  assert.deepEqual(ids('remove').toSorted(), data.flatMap((one) => one.removed_transactions).toSorted());
  const replaced = data.flatMap(({ updated }) => updated.flatMap((sent) => sent.replaces_transaction ?? []));
  assert.deepEqual(said.rows.flatMap(({ replaces }) => replaces ?? []).toSorted(), replaced.toSorted());
}

describe('a dry run', () => {
  test('counts every row and lists as many as it may [limit dry_run_rows]', async () => {
    const world = await World.open({ limits: { dry_run_rows: 3 } });
    const account = world.account();
    world.bank.accounts.set(account, [posted(1), posted(2), posted(3), posted(4)]);
    const sync = await world.sync([account], { options });
    const first = await dryRun(world, sync);
    assert.deepEqual([first.rows.length, first.truncated, total(first, 'added')], [3, true, 4]);
    world.bank.accounts.get(account)?.pop();
    const second = await dryRun(world, sync);
    assert.deepEqual([second.rows.length, second.truncated, total(second, 'added')], [3, false, 3]);
    await world.close();
  });

  test('ends when its time is up and says which accounts it did not read [limit dry_run_seconds]', async () => {
    const world = await World.open({ limits: { dry_run_seconds: 5 } });
    const accounts = [world.account(), world.account(), world.account()];
    for (const account of accounts) world.bank.accounts.set(account, [posted(1)]);
    world.bank.beforePage = (account, page) => {
      if (account !== accounts[1] || page > 0) return;
      world.clock.advance(5_000);
      return new Promise(() => undefined);
    };
    const said = await dryRun(world, await world.sync(accounts, { options }));
    assert.deepEqual(
      said.accounts.map(({ failure, added }) => [failure, added]),
      [
        [null, 1],
        ['upstream_timeout', 0],
        ['upstream_timeout', 0],
      ],
    );
    await world.close();
  });

  test('names the failure of an account and goes on with the others', async () => {
    const world = await World.open();
    const accounts = [world.account(), world.account()];
    for (const account of accounts) world.bank.accounts.set(account, [posted(1), posted(2)]);
    world.bank.refusal = (account) =>
      account === accounts[0] ? new ServiceError('upstream_auth_failed') : null;
    const said = await dryRun(world, await world.sync(accounts, { options }));
    assert.deepEqual(
      said.accounts.map(({ failure, added }) => [failure, added]),
      [
        ['upstream_auth_failed', 0],
        [null, 2],
      ],
    );
    await world.close();
  });

  test('is refused while a run is under way and when one began meanwhile', async () => {
    const world = await World.open();
    const account = world.account();
    world.bank.accounts.set(account, [posted(1)]);
    const sync = await world.sync([account], { options });
    let running: Promise<unknown> = Promise.resolve();
    let inner: unknown = null;
    world.bank.beforePage = async () => {
      world.bank.beforePage = async () => {
        // Inside the run.
        world.bank.beforePage = () => undefined;
        inner = await dryRun(world, sync).catch((error: unknown) => error);
      };
      running = world.run(sync);
      await running;
    };
    await assert.rejects(dryRun(world, sync), { code: 'sync_already_running' });
    await running;
    assert.ok(inner instanceof ServiceError && inner.code === 'sync_already_running');
    await world.close();
  });

  test('counts rows of an unconfirmed chunk as the run does that sends it again', async () => {
    const world = await World.open({ rulesOf: () => rulesOf });
    const account = world.account();
    world.bank.accounts.set(account, [posted(1), posted(2), posted(3)]);
    const sync = await world.sync([account], { options });
    world.receiver.behave = () => ({ status: 500 });
    await world.run(sync);
    assert.equal((await world.inDoubt(sync)).length, 1);
    // One is as it was, one changed, one is gone, and one is new.
    world.bank.accounts.set(account, [posted(1), posted(2, { description: 'changed' }), posted(4)]);
    await agree(world, sync, 'ok');
    assert.deepEqual([...world.receiver.rows().keys()].toSorted(), [
      posted(1).id,
      posted(2).id,
      posted(4).id,
    ]);
    await world.close();
  });

  test('counts a row that the source repeats once', async () => {
    const world = await World.open();
    const account = world.account();
    const rows = Array.from({ length: 1700 }, (_, index) => posted(index));
    world.bank.accounts.set(account, [...rows, ...rows, ...rows.toReversed()]);
    const said = await dryRun(world, await world.sync([account], { options }));
    assert.deepEqual([total(said, 'added'), total(said, 'unchanged')], [1700, 0]);
    await world.close();
  });

  test('ends when its caller leaves', async () => {
    const world = await World.open();
    const account = world.account();
    const leaving = new AbortController();
    world.bank.accounts.set(account, [posted(1)]);
    world.bank.beforePage = () => leaving.abort(new Error('gone'));
    const sync = await world.sync([account], { options });
    await assert.rejects(dryRun(world, sync, { signal: leaving.signal }), { message: 'gone' });
    await world.close();
  });

  test('of another owner finds no sync', async () => {
    const [world, other] = [await World.open(), await World.open()];
    const sync = await world.sync([world.account()], { options });
    await assert.rejects(dryRun(other, sync), { code: 'resource_missing' });
    await world.close();
    await other.close();
  });
});
