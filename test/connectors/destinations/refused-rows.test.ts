import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { NewSync, Sync } from '../../../src/features/syncs/syncs.ts';
import type { RowId } from '../../../src/vocabulary/ids.ts';
import type { Transaction } from '../../../src/vocabulary/transactions.ts';
import { posted } from '../../features/sync-engine/support/bank.ts';
import { dryRun } from '../../features/sync-engine/support/dry-run.ts';
import { verified } from '../../features/sync-engine/support/verification.ts';
import { closeDatabase, type World } from '../../features/sync-engine/support/world.ts';
import { Scene as Paperclip } from './paperclip/scene.ts';
import { Scene as Sheets } from './sheets/scene.ts';
import { KINDS } from './support/column-targets.ts';
import { Scene as Ynab } from './ynab/scene.ts';

after(closeDatabase);

interface Target extends AsyncDisposable {
  readonly world: World;
  sync(accounts: readonly RowId<'account'>[], more: Partial<NewSync>): Promise<Sync>;
}

const recent = (number: number, more: Partial<Transaction> = {}) => posted(number, { day: 49, ...more });
const amount = (decimal: string, currency = 'aud'): Partial<Transaction> => ({
  amount: { amount: -100, currency },
  amount_decimal: decimal,
});

async function delivered(target: Target, rows: readonly Transaction[]) {
  const { world } = target;
  const account = world.account();
  world.bank.accounts.set(account, [...rows]);
  const sync = await target.sync([account], {});
  const run = await world.run(sync);
  world.clock.advance(60_000);
  return { account, sync, run };
}

for (const type of ['notion', 'airtable']) {
  describe(`a row that ${type} cannot show as it is`, () => {
    const huge = amount('-1234567890123456789.01');

    test('is shown as refused, and one that changed into such a row as a change that is', async () => {
      const target = (await KINDS[type]?.open(false)) ?? assert.fail();
      await using _ = target;
      const rows = [recent(1), recent(2, huge), recent(3)];
      const { account, sync, run } = await delivered(target, rows);
      assert.deepEqual([run.added, run.rejected], [2, 1]);
      const said = await verified(target.world, sync);
      assert.deepEqual(
        said.problems.map(({ id, reason, refusal }) => [id, reason, refusal]),
        [[recent(2).id, 'refused', 'amount']],
      );
      assert.deepEqual(said.accounts, [{ account, failure: null, rejectedByLastRun: 1, unreadable: 0 }]);
      target.world.bank.accounts.set(account, [recent(1), recent(3, huge)]);
      const changed = await verified(target.world, sync);
      assert.deepEqual(
        changed.problems.map(({ id, reason, refusal }) => [id, reason, refusal]),
        [[recent(3).id, 'change_refused', 'amount']],
      );
      assert.ok(!JSON.stringify(said).includes('123456789'));
    });
  });
}

test('A verification says what of a row YNAB does not take: the currency, the day or the amount', async () => {
  await using scene = await Ynab.open();
  const account = scene.world.account();
  const rows = [
    recent(1),
    recent(2, amount('-1.00', 'nzd')),
    recent(3, amount('-1.0005')),
    posted(4, { day: -3650 }),
  ];
  scene.world.bank.accounts.set(account, rows);
  const sync = await scene.sync([account]);
  await scene.world.run(sync);
  const { problems, counts } = await verified(scene.world, sync);
  const refusals = new Map(problems.map(({ id, reason, refusal }) => [id, [reason, refusal]]));
  assert.deepEqual(refusals.get(recent(2).id), ['refused', 'currency']);
  assert.deepEqual(refusals.get(recent(3).id), ['refused', 'amount']);
  assert.equal(counts.alike, 1);
});

test('Rows that only the destination knows it refuses are named once a run has listed them', async () => {
  await using scene = await Paperclip.open();
  scene.vendor.refused.add(recent(2).id);
  const { account, sync } = await delivered(scene, [recent(1), recent(2)]);
  const said = await verified(scene.world, sync);
  assert.deepEqual(said.accounts, [{ account, failure: null, rejectedByLastRun: 1, unreadable: 0 }]);
  assert.deepEqual(
    said.problems.map(({ id, reason, refusal }) => [id, reason, refusal]),
    [[recent(2).id, 'refused', null]],
  );
});

test('A row that was refused and is unchanged is not listed by a dry run, as the next run does not send it', async () => {
  await using scene = await Paperclip.open();
  scene.vendor.refused.add(recent(2).id);
  const { account, sync } = await delivered(scene, [recent(1), recent(2)]);
  const { world } = scene;
  assert.deepEqual((await dryRun(world, sync)).rows, []);
  world.bank.accounts.set(account, [recent(1), recent(2, { description: 'corrected' })]);
  const { rows } = await dryRun(world, sync);
  assert.deepEqual(
    rows.map(({ id, action }) => [id, action]),
    [[recent(2).id, 'add']],
  );
});

test('A tab that someone deleted is no tab whose rows were deleted', async () => {
  await using scene = await Sheets.open();
  const { sync } = await delivered(scene, [recent(1)]);
  scene.edit({ addSheet: { properties: { sheetId: 7, title: 'Other' } } });
  scene.edit({ deleteSheet: { sheetId: 0 } });
  await assert.rejects(verified(scene.world, sync), { code: 'upstream_bad_request' });
});
