import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { SimulatedClock } from '../../../src/platform/clock.ts';
import { addDays, localDate, localDateAt } from '../../../src/vocabulary/moments.ts';
import { posted } from './support/bank.ts';
import { closeDatabase, World } from './support/world.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const options = { data_from: localDate('2020-01-01') };
after(closeDatabase);

test('a provider that is loading forever is not read from the beginning in every run', async () => {
  const world = await World.open();
  const account = world.account();
  world.bank.accounts.set(account, [posted(1)]);
  const sync = await world.sync([account], { options });
  await world.run(sync);
  world.bank.history = () => 'loading';
  world.clock.advance(31 * DAY);
  world.bank.windows.length = 0;
  const until = world.clock.now() + DAY;
  while (world.clock.now() < until) {
    await world.run(sync);
    const { row } = await world.syncs.read(world.owner.id, sync.row.id);
    world.clock.advance(Math.max(0, (row.next_run_at?.getTime() ?? assert.fail()) - world.clock.now()));
  }
  const wide = world.bank.windows.filter(({ since }) => since === null).length;
  assert.ok(wide >= 1 && wide <= 5, `everything was read ${wide} times in a day`);
  assert.ok(world.bank.windows.length <= 6, `it was read ${world.bank.windows.length} times in a day`);
  world.bank.history = () => 'complete';
  world.clock.advance(7 * HOUR);
  world.bank.windows.length = 0;
  await world.run(sync);
  assert.equal(world.bank.windows.at(-1)?.since, null, 'the sweep was still due');
});

test('a row that a clock far ahead noted as missing is removed by the right one, without reading all in every run', async () => {
  const world = await World.open();
  const account = world.account();
  const rows = Array.from({ length: 20 }, (_, number) => {
    const date = addDays(localDateAt(world.clock.now(), 'Australia/Sydney'), -60 + number);
    const moments = { datetime: `${date}T10:00:00+10:00`, post_datetime: `${date}T20:00:00+10:00` };
    return posted(number, { date, post_date: date, ...moments });
  });
  world.bank.accounts.set(account, rows);
  const sync = await world.sync([account], { options });
  await world.run(sync);
  world.bank.accounts.set(
    account,
    rows.filter((_, number) => number !== 15),
  );
  const ahead = new SimulatedClock(world.clock.now() + 365 * DAY);
  await world.run(sync, world.engine(world.database.db, ahead));
  world.bank.windows.length = 0;
  for (let quarter = 0; quarter < 12; quarter++) {
    world.clock.advance(6 * HOUR);
    assert.equal((await world.run(sync)).status, 'succeeded');
  }
  assert.equal(world.receiver.rows().size, 19);
  const wide = world.bank.windows.filter(({ since }) => since === null).length;
  assert.ok(wide <= 6, `${wide} of 12 runs were sweeps`);
});
