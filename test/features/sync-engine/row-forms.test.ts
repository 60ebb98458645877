import assert from 'node:assert/strict';
import { after, afterEach, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { WEBHOOK_FORM } from '../../../src/connectors/destinations/webhook/rows.ts';
import { publicId } from '../../../src/vocabulary/ids.ts';
import { pending, posted } from './support/bank.ts';
import type { EventRow } from './support/receiver.ts';
import { closeDatabase, World } from './support/world.ts';

let world: World;
beforeEach(async () => {
  world = await World.open();
});
afterEach(() => world.close());
after(closeDatabase);

/** A run whose only chunk arrives, while no one learns that it did. */
async function inDoubt() {
  const account = world.account();
  const { bank, receiver } = world;
  bank.accounts.set(account, [posted(1), pending(1, { day: 49 }), pending(2, { day: 49 })]);
  const sync = await world.sync([account], { options: { include_pending: true } });
  await world.run(sync);
  bank.accounts.set(account, [posted(1), posted(2, { day: 49, cents: pending(1).amount.amount })]);
  const number = receiver.requests.length;
  receiver.behave = (request) => (request === number ? 'drop_after' : 'ok');
  assert.equal((await world.run(sync)).status, 'failed');
  return { sync, account, number };
}

/** The members of a row that hold an id. */
const idsOf = (row: EventRow | undefined) => ({
  id: row?.id,
  transaction: row?.transaction,
  account_item: row?.account_item,
  replaces: row?.replaces,
  replaces_transaction: row?.replaces_transaction,
});

describe('an unconfirmed chunk', () => {
  test('is sent again under its event id as the same bytes', async () => {
    const { sync, account, number } = await inDoubt();
    assert.equal((await world.run(sync)).status, 'succeeded');
    const [first, again] = world.receiver.requests.slice(number);
    assert.equal(again?.body, first?.body);
    const [row] = first?.event.data.updated ?? [];
    assert.deepEqual(idsOf(row), {
      id: 'row_0000002',
      transaction: 'txn_fk_row_0000002',
      account_item: publicId('account', account),
      replaces: 'pend_1',
      replaces_transaction: 'txn_fk_pend_1',
    });
    assert.deepEqual(first?.event.data.removed, ['pend_2']);
    assert.deepEqual(first?.event.data.removed_transactions, ['txn_fk_pend_2']);
    assert.deepEqual(world.receiver.faults, []);
  });

  test('that an earlier version began is sent again in the form of that version, and what follows in the form of today', async () => {
    const { sync, account, number } = await inDoubt();
    const { db } = world.database;
    const { numAffectedRows } = await sql`
      update delivery_chunks set rows = substr(rows, 4) where sync = ${sync.row.id} and rows like ${`#${WEBHOOK_FORM}\n@%`}`.execute(
      db,
    );
    assert.equal(numAffectedRows, 1n, 'the intent stands as the earlier version recorded it');
    const { bank, receiver } = world;
    bank.accounts.set(account, [...(bank.accounts.get(account) ?? []), posted(3, { day: 49 })]);
    assert.equal((await world.run(sync)).status, 'succeeded');
    const [first, again, next] = receiver.requests.slice(number);
    assert.equal(again?.event.id, first?.event.id);
    const [row] = again?.event.data.updated ?? [];
    assert.deepEqual(idsOf(row), {
      id: 'txn_fk_row_0000002',
      transaction: undefined,
      account_item: undefined,
      replaces: 'txn_fk_pend_1',
      replaces_transaction: undefined,
    });
    assert.deepEqual(Object.keys(again?.event.data ?? {}), ['new', 'updated', 'removed']);
    assert.deepEqual(again?.event.data.removed, ['txn_fk_pend_2']);
    assert.equal('sync_run' in (again?.event.metadata ?? {}), false);
    assert.deepEqual(
      next?.event.data.new.map(({ id, transaction }) => [id, transaction]),
      [['row_0000003', 'txn_fk_row_0000003']],
    );
    assert.equal((await world.run(sync)).status, 'succeeded');
    assert.equal(
      receiver.requests.length,
      number + 3,
      'no delivered row travels again because ids look different',
    );
  });
});
