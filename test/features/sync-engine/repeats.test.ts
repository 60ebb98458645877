import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { SeenIds } from '../../../src/features/sync-engine/read/seen-ids.ts';
import { localDate } from '../../../src/vocabulary/moments.ts';
import { pending, posted } from './support/bank.ts';
import { closeDatabase, World } from './support/world.ts';

after(closeDatabase);

test('a first sync delivers a row once, however far apart and often the source repeats it', async () => {
  const world = await World.open();
  const account = world.account();
  const rows = Array.from({ length: 1700 }, (_, index) => posted(index));
  world.bank.accounts.set(account, [...rows, ...rows, ...rows.toReversed()]);
  const run = await world.run(await world.sync([account]));
  assert.deepEqual([run.status, run.added, run.updated], ['succeeded', 1700, 0]);
  assert.ok([...world.receiver.newCounts().values()].every((count) => count === 1));
  await world.close();
});

test('a row that comes again with other content later in the same read is sent as updated', {
  timeout: 600_000,
}, async () => {
  const world = await World.open();
  const account = world.account();
  const rows = Array.from({ length: 1700 }, (_, index) => posted(index));
  world.bank.accounts.set(account, [...rows, posted(0, { description: 'corrected' })]);
  const sync = await world.sync([account]);
  // The page with the repeated row comes once the first chunk is on record.
  world.bank.beforePage = async (_account, page) => {
    while (page === 8 && (await world.readRun(sync.latestRun?.id ?? assert.fail())).added < 500) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  const run = await world.run(sync);
  assert.deepEqual([run.added, run.updated], [1700, 1]);
  assert.equal(world.receiver.rows().get(posted(0).id)?.description, 'corrected');
  await world.close();
});

test('a repeated row that may be what a pending one became is sent once', async () => {
  const world = await World.open();
  const account = world.account();
  world.bank.accounts.set(account, [pending(1, { day: 40, cents: -500 })]);
  const options = { data_from: localDate('2020-01-01'), include_pending: true };
  const sync = await world.sync([account], { options });
  await world.run(sync);
  world.bank.pageSize = 1;
  const became = posted(1, { day: 42, cents: -500 });
  world.bank.accounts.set(account, [became, posted(2, { day: 42 }), became]);
  const run = await world.run(sync);
  assert.deepEqual([run.status, run.added, run.updated], ['succeeded', 1, 1]);
  assert.equal(world.receiver.newCounts().get(became.id), undefined);
  await world.close();
});

test('what was sent is never taken for unsent, in one mebibyte for a million rows', () => {
  const seen = new SeenIds();
  const id = (number: number): string => `txn_fk_bank_tx_${number}`;
  for (let number = 0; number < 1_000_000; number++) seen.add(1, id(number));
  let asked = 0;
  for (let number = 0; number < 100_000; number++) {
    assert.ok(seen.mayHave(1, id(number * 10)));
    if (seen.mayHave(1, id(1_000_000 + number))) asked += 1;
    if (seen.mayHave(2, id(number))) asked += 1;
  }
  assert.ok(asked < 200_000 * 0.04, `${asked} of 200,000 were mistaken for seen`);
});
