import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { packId } from '../../../src/storage/packed-ids.ts';
import { packSnapshot, type SnapshotRow } from '../../../src/storage/packed-snapshots.ts';
import type { RowId } from '../../../src/vocabulary/ids.ts';
import { providerRowId } from '../../../src/vocabulary/provider-kinds.ts';
import { ServiceError } from '../../../src/vocabulary/service-error.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { posted } from '../sync-engine/support/bank.ts';
import { FeedWorld } from './support/feed-world.ts';

/** As a bank's pending row has it, whose id is a hash of its day, amount and text. */
const PENDING = providerRowId('transaction', 'nz_banking', `pend_${'0123456789abcdef'.repeat(2)}`);

const ROW: SnapshotRow = {
  id: PENDING,
  contentMac: '00'.repeat(12),
  pairMac: null,
  matchMac: null,
  provisional: true,
  day: 20_000,
  missingSince: null,
};

let database: TestDatabase;
let world: FeedWorld;
let account: RowId<'account'>;

before(async () => {
  database = await openTestDatabase();
});
after(() => database.close());

beforeEach(async () => {
  world = await FeedWorld.open(database.db);
  account = await world.account();
  const hold = { id: PENDING, status: 'pending', date: world.today, post_date: null } as const;
  world.rows = [
    { ...posted(1), ...hold },
    { ...posted(2), date: world.today },
  ];
});

async function states(): Promise<{ readonly id: string; readonly state: Buffer }[]> {
  const rows = await database.db
    .selectFrom('change_snapshots')
    .select(['id', 'state'])
    .where('account', '=', account)
    .orderBy('created')
    .orderBy('id')
    .execute();
  return rows.map(({ id, state }) => ({ id, state: Buffer.from(state) }));
}

async function store(id: string, state: Uint8Array): Promise<void> {
  await database.db
    .updateTable('change_snapshots')
    .set({ state: Buffer.from(state) })
    .where('id', '=', id)
    .execute();
}

const expired = (error: unknown): boolean => error instanceof ServiceError && error.code === 'cursor_expired';

const begin = () => world.page(account, { includePending: true });

test('ids of rows are not readable in what is stored of a feed, nor is whether it changed', async () => {
  const { cursor } = await begin();
  const [first] = await states();
  assert.ok(first);
  for (const id of [PENDING, posted(2).id]) {
    const bytes = Buffer.from(packId(id), 'hex').subarray(1);
    assert.ok(packSnapshot([{ ...ROW, id }]).includes(bytes), 'they would be found in a packed snapshot');
    assert.ok(!first.state.includes(bytes));
    assert.ok(!first.state.includes(id));
  }
  world.clock.advance(2 * 3_600_000);
  await world.page(account, { cursor });
  const [second] = await states();
  assert.notDeepEqual(second?.state, first.state);
});

test('a snapshot that was moved, cut, altered or stored in an earlier format ends its feed', async () => {
  const one = await begin();
  const other = await begin();
  const [first, second] = await states();
  assert.ok(first && second);
  const altered = Buffer.from(first.state);
  altered.writeUInt8(altered.readUInt8(30) ^ 1, 30);
  const earlier = packSnapshot([ROW]);
  for (const state of [second.state, altered, first.state.subarray(0, 20), Buffer.alloc(0), earlier]) {
    await store(first.id, state);
    await assert.rejects(world.page(account, { cursor: one.cursor }), expired);
  }
  await store(first.id, first.state);
  assert.equal((await world.page(account, { cursor: one.cursor })).cursor, one.cursor);
  assert.equal((await world.page(account, { cursor: other.cursor })).cursor, other.cursor);
});

test('a snapshot opens whatever becomes of the encryption key in between', async () => {
  const { cursor } = await begin();
  world.rotate();
  const next = await world.page(account, { cursor });
  world.forgetOldKeys();
  assert.deepEqual((await world.page(account, { cursor: next.cursor })).added, []);
});
