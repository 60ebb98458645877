import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { posted } from '../sync-engine/support/bank.ts';
import { Copy, FeedWorld } from './support/feed-world.ts';

const ROWS = 60;
const MOST_SNAPSHOTS = 9;

let database: TestDatabase;

before(async () => {
  database = await openTestDatabase();
});
after(() => database.close());

/** A client with every row, before a round in which all of them change. */
async function changedWorld(most: number) {
  const world = await FeedWorld.open(database.db, { change_bytes: most });
  const account = await world.account();
  const { today } = world;
  world.rows = Array.from({ length: ROWS }, (_, at) => ({ ...posted(at), date: today, post_date: today }));
  const first = new Copy();
  first.apply(await world.page(account));
  const { bytes } = await world.stored();
  world.rows = world.rows.map((row) => ({ ...row, description: 'changed' }));
  /** Pages of one change each. */
  const descend = async (from: Copy, pages: number): Promise<Copy> => {
    const copy = from.clone();
    for (let page = 0; page < pages; page++) {
      world.clock.advance(1000);
      copy.apply(await world.page(account, { cursor: copy.cursor, limit: 1 }));
    }
    return copy;
  };
  return { world, account, first, state: bytes, descend };
}

test('a client that goes back to the beginning of its round again and again has nine snapshots at most', async () => {
  const { world, first, descend } = await changedWorld(33_554_432);
  let latest = first;
  for (let pages = 25; pages > 0; pages -= 2) {
    latest = await descend(first, pages);
    const { snapshots } = await world.stored();
    assert.ok(snapshots <= MOST_SNAPSHOTS, `${snapshots} snapshots`);
  }
  await descend(latest, 1);
});

test('the snapshots of one feed take so many bytes at most, beside those it goes on from [limit change_bytes]', async () => {
  const most = 6000;
  const { world, account, first, state, descend } = await changedWorld(most);
  assert.ok(5 * state > most, `${state} bytes`);
  for (let pages = 21; pages > 0; pages -= 4) {
    const before = await descend(first, pages);
    // An answer that was lost can be asked for again, and so can the round.
    await descend(before, 1);
    const after = await descend(before, 1);
    const { bytes } = await world.stored();
    assert.ok(bytes <= most + state, `${bytes} bytes`);
    await world.page(account, { cursor: after.cursor, limit: 1 });
  }
  const whole = first.clone();
  whole.apply(await world.page(account, { cursor: whole.cursor }));
  assert.deepEqual(new Set([...whole.rows.values()].map((row) => row.description)), new Set(['changed']));
});
