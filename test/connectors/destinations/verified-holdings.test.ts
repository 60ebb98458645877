import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { NewSync, Sync } from '../../../src/features/syncs/syncs.ts';
import { destinationsHolding } from '../../../src/vocabulary/destination-kinds.ts';
import type { Limits } from '../../../src/vocabulary/limits.ts';
import { ServiceError } from '../../../src/vocabulary/service-error.ts';
import { stored } from '../../features/sync-engine/support/dry-run.ts';
import { problemsOf, verified } from '../../features/sync-engine/support/verification.ts';
import { closeDatabase } from '../../features/sync-engine/support/world.ts';
import { HELD_PLACES, type HeldPlace, holding, type OpenPlace } from './holdings/places.ts';
import { closeServer } from './postgres/scene.ts';

after(closeDatabase);
after(closeServer);

const HOUR_MS = 3_600_000;
const EXACT = '0.123456789012345678';

/** Two accounts that hold the same, after a run. */
async function delivered(open: OpenPlace, limits: Partial<Limits> = {}, more: Partial<NewSync> = {}) {
  const place = await open(limits);
  const { world } = place;
  const accounts = [world.account(), world.account()] as const;
  const hold = (at: 0 | 1, ...holdings: ReturnType<typeof holding>[]) =>
    world.bank.holdings.set(accounts[at], holdings);
  for (const at of [0, 1] as const) {
    world.providers.set(accounts[at], 'brokerage');
    hold(at, holding('ACME', EXACT), holding('BOLT', '2'), holding('CORK', '-3.50', { name: null }));
  }
  const sync = await place.sync(accounts, more);
  const run = async () => {
    world.clock.advance(HOUR_MS);
    assert.equal((await world.run(sync)).status, 'succeeded');
  };
  await run();
  return { place, accounts, sync, hold, run };
}

/** What a verification says, after it has been seen that it wrote nothing, here or there. */
async function looked(place: HeldPlace, sync: Sync) {
  const before = [await stored(place.world), place.contents()];
  const said = await verified(place.world, sync);
  assert.deepEqual([await stored(place.world), place.contents()], before);
  assert.equal(said.comparedWith, 'destination');
  return said;
}

test('Every type of destination that holds positions is among those that these tests read them from', () => {
  assert.deepEqual(Object.keys(HELD_PLACES).toSorted(), destinationsHolding('holdings').toSorted());
});

for (const [type, open] of Object.entries(HELD_PLACES)) {
  describe(`a verification of holdings in ${type}`, () => {
    test('finds nothing if everything is as it was delivered, half an hour later too', async () => {
      const { place, sync } = await delivered(open);
      await using _ = place;
      await place.own();
      place.world.clock.advance(HOUR_MS / 2);
      const said = await looked(place, sync);
      const { bank, destination, alike, others } = said.counts;
      assert.deepEqual([said.problems, said.columns], [[], []]);
      assert.deepEqual([bank, destination, alike, others], [6, 6, 6, 0]);
    });

    test('finds what a person deleted, changed and added, which the next run removes', async () => {
      const { place, accounts, sync, run } = await delivered(open);
      await using _ = place;
      const [one, two] = accounts;
      await place.remove(one, 'hold_st_ACME');
      await place.edit(two, 'hold_st_BOLT', '5');
      await place.add(two, 'hold_st_MINE');
      const said = await looked(place, sync);
      assert.deepEqual(
        said.problems
          .map(({ reason, remedy, account, id }) => [reason, remedy, account, id])
          .toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)),
        [
          ['edited_there', 'run', two, 'hold_st_BOLT'],
          ['removed_there', 'run', one, 'hold_st_ACME'],
          ['unknown_position', 'run', two, 'hold_st_MINE'],
        ],
      );
      assert.deepEqual(said.kinds, { missing: 1, extra: 1, different: 1, doubled: 0 });
      const edited = said.problems.find(({ reason }) => reason === 'edited_there');
      assert.deepEqual(edited?.fields, [{ name: place.quantityField, expected: '2', found: '5' }]);
      assert.ok(edited.where !== null);
      assert.deepEqual([said.counts.destination, said.counts.alike, said.counts.others], [6, 4, 0]);
      await run();
      assert.deepEqual((await looked(place, sync)).problems, []);
    });

    test('reports what the next run would write, change and remove, and that a sold position is there again', async () => {
      const { place, accounts, sync, hold, run } = await delivered(open);
      await using _ = place;
      const [one] = accounts;
      hold(0, holding('ACME', EXACT), holding('BOLT', '2'));
      await run();
      await place.add(one, 'hold_st_CORK');
      hold(0, holding('BOLT', '2.5'), holding('DUNE', '1'));
      const said = await looked(place, sync);
      assert.deepEqual(problemsOf(said), [
        ['withdrawn_by_bank', 'hold_st_ACME'],
        ['changed_since', 'hold_st_BOLT'],
        ['still_there', 'hold_st_CORK'],
        ['not_delivered_yet', 'hold_st_DUNE'],
      ]);
      assert.ok(said.problems.every(({ remedy, account }) => remedy === 'run' && account === one));
      const changed = said.problems.find(({ reason }) => reason === 'changed_since');
      assert.deepEqual(changed?.fields, [{ name: place.quantityField, expected: '2.5', found: '2' }]);
      await run();
      assert.deepEqual((await looked(place, sync)).problems, []);
    });

    test('says of a position that was sold and bought again that it was not delivered', async () => {
      const { place, sync, hold, run } = await delivered(open);
      await using _ = place;
      hold(0, holding('ACME', EXACT));
      await run();
      hold(0, holding('ACME', EXACT), holding('BOLT', '9'));
      assert.deepEqual(problemsOf(await looked(place, sync)), [['not_delivered_yet', 'hold_st_BOLT']]);
    });

    test('leaves the rows of an account alone that cannot be read, or is no longer in the sync', async () => {
      const { place, accounts, sync } = await delivered(open);
      await using _ = place;
      const [one, two] = accounts;
      await place.add(two, 'hold_st_MINE');
      const { bank } = place.world;
      bank.refusal = (account) => (account === two ? new ServiceError('upstream_unavailable') : null);
      const said = await looked(place, sync);
      assert.deepEqual([said.problems, said.counts.others, said.counts.alike], [[], 4, 3]);
      bank.refusal = () => null;
      await place.world.syncs.update(place.world.owner, sync.row.id, { accounts: [one] });
      const narrower = await looked(place, sync);
      assert.deepEqual([narrower.problems, narrower.counts.others], [[], 4]);
    });

    test('compares as many positions as it may and takes none of the others for extra', async () => {
      const { place, sync } = await delivered(open, { verification_rows: 4 });
      await using _ = place;
      const said = await looked(place, sync);
      const { alike, others, notCompared } = said.counts;
      assert.deepEqual([said.problems, alike, others, notCompared], [[], 4, 2, 2]);
    });

    test('compares the columns that were chosen', async () => {
      const columns = ['symbol', 'quantity'];
      const { place, sync, hold } = await delivered(open, {}, { columns });
      await using _ = place;
      hold(0, holding('ACME', EXACT, { name: 'Acme' }), holding('BOLT', '2'), holding('CORK', '-3.50'));
      const { problems, counts } = await looked(place, sync);
      assert.deepEqual([problems, counts.alike], [[], 6]);
    });
  });
}

test('A position that a person copied in a spreadsheet is there twice until the next run', async () => {
  const { place, accounts, sync, run } = await delivered(HELD_PLACES.sheets ?? assert.fail());
  await using _ = place;
  await place.add(accounts[1], 'hold_st_BOLT');
  const said = await looked(place, sync);
  assert.deepEqual(
    said.problems.map(({ reason, remedy, account, id }) => [reason, remedy, account, id]),
    [['stands_twice', 'run', accounts[1], 'hold_st_BOLT']],
  );
  assert.equal(said.counts.alike, 6);
  await run();
  assert.deepEqual((await looked(place, sync)).problems, []);
});
