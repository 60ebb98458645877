import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { slotOf } from '../../../src/storage/ledger-slots.ts';
import type { Transaction } from '../../../src/vocabulary/transactions.ts';
import { posted } from './support/bank.ts';
import { closeDatabase, World } from './support/world.ts';

after(closeDatabase);

/** Three ids, of which the first two have the same number in the stream. */
function sharing(stream: number): readonly [string, string, string] {
  const seen = new Map<number, string>();
  const id = (number: number): string => `txn_fk_bank_tx_${number.toString(16).padStart(16, '0')}`;
  for (let number = 0; ; number++) {
    const slot = slotOf(stream, id(number), 0);
    const first = seen.get(slot);
    if (first !== undefined) return [first, id(number), id(number + 1)];
    seen.set(slot, id(number));
  }
}

async function streamOf(world: World, sync: { readonly row: { readonly id: string } }): Promise<number> {
  const streams = await world.database.db.selectFrom('delivery_streams').select(['id', 'sync']).execute();
  return streams.find((stream) => stream.sync === sync.row.id)?.id ?? assert.fail('no stream');
}

describe('rows of an account whose ids share a number in the ledger', () => {
  const layouts: ReadonlyArray<readonly [string, ReadonlyArray<readonly number[]>]> = [
    ['in one chunk', [[0, 1, 2]]],
    ['in one run after the other', [[0], [0, 1], [0, 1, 2]]],
    ['the other way about', [[1], [1, 0, 2]]],
  ];
  for (const [name, steps] of layouts) {
    test(`arrive once each and change one at a time: ${name}`, async () => {
      const world = await World.open();
      const account = world.account();
      const first = posted(7);
      world.bank.accounts.set(account, [first]);
      const sync = await world.sync([account]);
      const ids = sharing(await streamOf(world, sync));
      assert.equal(new Set(ids).size, 3);
      const row = (at: number, more: Partial<Transaction> = {}): Transaction =>
        posted(at, { id: ids[at] ?? '', day: 45, ...more });
      for (const step of steps) {
        world.bank.accounts.set(account, [first, ...step.map((at) => row(at))]);
        assert.equal((await world.run(sync)).status, 'succeeded');
      }
      assert.ok([...world.receiver.newCounts()].every(([, count]) => count === 1));
      assert.deepEqual([...world.receiver.rows().keys()].toSorted(), [first.id, ...ids].toSorted());

      const again = await world.run(sync);
      assert.deepEqual([again.added, again.updated], [0, 0]);
      for (const at of [0, 1, 2]) {
        const changed = [0, 1, 2].map((each) =>
          row(each, each <= at ? { description: `corrected ${each}` } : {}),
        );
        world.bank.accounts.set(account, [first, ...changed]);
        const run = await world.run(sync);
        assert.deepEqual([run.added, run.updated], [0, 1], `row ${at}`);
        assert.equal(world.receiver.rows().get(ids[at] ?? '')?.description, `corrected ${at}`);
      }
      await world.close();
    });
  }
});

test('a row whose number another had first is still found once that one is forgotten', async () => {
  const world = await World.open({ limits: { retired_rows: 2 } });
  const account = world.account();
  world.bank.linkedAt = world.clock.now();
  world.bank.accounts.set(account, [posted(7)]);
  const sync = await world.sync([account]);
  const stream = await streamOf(world, sync);
  const [first, second] = sharing(stream);
  const stays = posted(2, { id: second, day: 45 });
  const run = async (...rows: readonly Transaction[]) => {
    world.bank.accounts.set(account, [stays, ...rows]);
    world.clock.advance(24 * 3_600_000);
    const { status, added } = await world.run(sync);
    assert.equal(status, 'succeeded');
    return added;
  };
  const other = (at: number, session: string): Transaction =>
    posted(20 + at, { id: `txn_fk_${session}${at}`, day: 44 });
  const others = (session: string) => [0, 1, 2].map((at) => other(at, session));
  world.bank.accounts.set(account, [posted(20, { id: first, day: 44 }), ...others('a').slice(1)]);
  assert.equal((await world.run(sync)).added, 3);
  assert.equal(await run(posted(20, { id: first, day: 44 }), ...others('a').slice(1)), 1);
  for (const session of ['b', 'c', 'd']) assert.equal(await run(...others(session)), 0);
  const { db } = world.database;
  const stored = await db
    .selectFrom('delivery_ledger')
    .select('slot')
    .where('stream', '=', stream)
    .where('state', 'in', [2, 3])
    .execute();
  assert.ok(stored.length <= 4, `${stored.length} retired rows`);
  assert.equal(await run(...others('d')), 0);
  assert.equal([...world.receiver.newCounts()].find(([id]) => id === second)?.[1], 1);
  await world.close();
});

test('a row the ledger already has fails the run that takes it for new', async () => {
  const world = await World.open();
  const account = world.account();
  world.bank.accounts.set(account, [posted(1), posted(2)]);
  const sync = await world.sync([account]);
  const stream = await streamOf(world, sync);
  world.bank.beforePage = async () => {
    // Behind the engine's back, which knows by now that the ledger is empty.
    await world.database.db
      .insertInto('delivery_ledger')
      .values({
        stream,
        slot: slotOf(stream, posted(2).id, 0),
        day: null,
        state: null,
        record: Buffer.from(`${'00'.repeat(12)}00${Buffer.from(posted(2).id).toString('hex')}`, 'hex'),
        match_mac: null,
        remote_ref: null,
      })
      .execute();
    world.bank.beforePage = () => undefined;
  };
  const run = await world.run(sync);
  assert.equal(run.status, 'failed');
  await world.close();
});

test('numbers of rows stay as they are: they are stored', () => {
  const digest = `txn_fk_bank_tx_${'ab'.repeat(32)}`;
  const written: ReadonlyArray<readonly [string, readonly number[]]> = [
    ['', [1793723167, 1001920174, -691151219]],
    ['a', [-61812153, -1520963755, 761842963]],
    ['abc', [-471054183, -552758441, 2099556226]],
    ['abcd', [59051883, 706383666, -1605045603]],
    ['txn_fk_bank_tx_00', [-1347980557, -575479075, -1828949066]],
    [digest, [-1777011660, 2054098097, 1386226065]],
  ];
  for (const [id, slots] of written) {
    assert.deepEqual([slotOf(1, id, 0), slotOf(1, id, 1), slotOf(2, id, 0)], slots);
  }
});

test('ids that differ by little have numbers that share nothing', () => {
  const slots = new Set<number>();
  const high = new Set<number>();
  for (let number = 0; number < 100_000; number++) {
    const slot = slotOf(1, `txn_fk_bank_tx_${number}`, 0);
    slots.add(slot);
    high.add(slot >>> 16);
  }
  // By chance one pair in 100,000 shares a number, and of 65,536 upper halves 51,300 occur.
  assert.ok(slots.size > 99_980, String(slots.size));
  assert.ok(high.size > 50_500 && high.size < 52_100, String(high.size));
});
