import assert from 'node:assert/strict';
import { after, afterEach, beforeEach, describe, test } from 'node:test';
import type { OutgoingChunk } from '../../../src/connectors/destinations/delivery-rows.ts';
import type {
  DestinationConnector,
  DestinationWriter,
} from '../../../src/connectors/destinations/destination-contract.ts';
import { DestinationFailure } from '../../../src/connectors/destinations/destination-failure.ts';
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

  test('that was begun in an earlier form of the rows is sent again in that form, and what follows in the new one', async () => {
    const connector = new FormsDestination();
    const other = await World.open({ connector });
    const account = other.account();
    other.bank.accounts.set(account, [posted(1)]);
    const sync = await other.sync([account]);
    connector.failing = true;
    assert.equal((await other.run(sync)).status, 'failed');
    connector.failing = false;
    connector.rowForm = 2;
    other.bank.accounts.set(account, [posted(1), posted(2)]);
    assert.equal((await other.run(sync)).status, 'succeeded');
    const [first, again, next] = connector.chunks;
    assert.equal(again?.eventId, first?.eventId);
    assert.deepEqual(
      [first, again, next].map((chunk) => [chunk?.rowForm, chunk?.added.map(({ text }) => text)]),
      [
        [1, ['form 1 of txn_fk_row_0000001']],
        [1, ['form 1 of txn_fk_row_0000001']],
        [2, ['form 2 of txn_fk_row_0000002']],
      ],
    );
    await other.close();
  });
});

/** A destination whose rows get another form while a chunk is unconfirmed. */
class FormsDestination implements DestinationConnector {
  readonly type = 'webhook';
  readonly afterUnknown = 'resend';
  readonly chunkRows = 500;
  readonly chunkBytes = 1_000_000;
  readonly chunks: OutgoingChunk[] = [];
  rowForm = 1;
  failing = false;

  async open(): Promise<DestinationWriter> {
    return {
      encode: (row, form) => `form ${form} of ${row.kind === 'trade' ? row.trade.id : row.transaction.id}`,
      write: async (chunk) => {
        this.chunks.push(chunk);
        if (!this.failing) return { rejected: [], remoteRefs: new Map(), existed: new Map() };
        throw new DestinationFailure('run_failed', 'No answer.', { outcome: 'unknown', retryable: true });
      },
      close: async () => undefined,
    };
  }
}
