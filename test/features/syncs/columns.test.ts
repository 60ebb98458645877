import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { requireColumns } from '../../../src/features/syncs/sync-rules.ts';
import { DESTINATION_KINDS, DESTINATION_TYPES } from '../../../src/vocabulary/destination-kinds.ts';
import { SYNC_FIELDS, TRANSACTION_FIELDS } from '../../../src/vocabulary/row-fields.ts';
import { SYNC_TYPES } from '../../../src/vocabulary/syncs.ts';
import { aimed, startWithVendor } from '../../connectors/destinations/support/linked.ts';
import type { Vendor } from '../../connectors/destinations/support/vendor.ts';
import type { TestOwner, TestService } from '../../support/service.ts';
import type { Answer, Json } from '../../support/v2-client.ts';
import { importedConnection, linkBank } from '../linking/person.ts';

let service: TestService;
let vendor: Vendor;
let owner: TestOwner;
let accounts: string[];
before(async () => {
  ({ service, vendor } = await startWithVendor());
  owner = await service.owner();
  const connection = await importedConnection(owner, await linkBank(owner));
  accounts = connection.accounts.slice(0, 2).map((account: { id: string }) => account.id);
});
after(async () => {
  await service.close();
  await vendor.close();
});

function refused(answer: Answer, param: string): void {
  const { error } = answer.body;
  assert.deepEqual([answer.status, error?.code, error?.param], [400, 'parameter_invalid', param]);
}

async function webhook(): Promise<Json> {
  const target = { url: `http://127.0.0.1:9/${crypto.randomUUID()}` };
  return (await owner.v2('POST', '/v2/destinations', { type: 'webhook', name: 'Hook', target })).body;
}

const create = (destination: Json, more: object) =>
  owner.v2('POST', '/v2/syncs', {
    type: 'transactions',
    name: 'Chosen',
    destination: destination.id,
    accounts,
    mapping_mode: 'bulk',
    run_now: false,
    ...more,
  });
const update = (sync: Json, more: object) => owner.v2('POST', `/v2/syncs/${sync.id}`, more);
const budget = (index: number) => ({ account: accounts[index], destination_account: 'b1' });

describe('columns of a sync', () => {
  test('are the standard ones until they are chosen, and again with null', async () => {
    const destination = await aimed(owner, 'sheets');
    const chosen = ['amount', 'date', 'account_number'];
    const created = await create(destination, {});
    assert.deepEqual([created.status, created.body.columns], [201, null]);
    const sync = created.body;
    assert.deepEqual((await update(sync, { columns: chosen })).body.columns, chosen);
    assert.deepEqual((await update(sync, { name: 'Renamed' })).body.columns, chosen);
    assert.deepEqual((await owner.v2('GET', `/v2/syncs/${sync.id}`)).body.columns, chosen);
    assert.equal((await update(sync, { columns: null })).body.columns, null);
    const other = await create(await aimed(owner, 'sheets'), { columns: ['memo'] });
    assert.deepEqual([other.status, other.body.columns], [201, ['memo']]);
  });

  test('are fields of the sync’s rows, each once: the answer names the one at fault and those there are', async () => {
    const destination = await aimed(owner, 'sheets');
    const sync = (await create(destination, { columns: ['date'] })).body;
    for (const [columns, param] of [
      [[], 'columns'],
      [['date', 'Amount'], 'columns[1]'],
      [['date', 'trade_id'], 'columns[1]'],
      [['constructor'], 'columns[0]'],
      [['date', 'memo', 'date'], 'columns[2]'],
    ] as const) {
      const answer = await update(sync, { columns });
      refused(answer, param);
      assert.match(answer.body.error?.message ?? '', /transaction_id, date, description, .*, account_id\./);
      refused(await create(await aimed(owner, 'sheets'), { columns }), param);
    }
    refused(await update(sync, { columns: 'date' }), 'columns');
    refused(await update(sync, { columns: [7] }), 'columns[0]');
    const all = Object.keys(TRANSACTION_FIELDS);
    assert.deepEqual((await update(sync, { columns: all })).body.columns, all);
  });

  test('are chosen only where the destination has columns, and null is taken everywhere', async () => {
    const account_mappings = [budget(0), budget(1)];
    const budgets = await aimed(owner, 'ynab');
    refused(await create(budgets, { account_mappings, columns: ['date'] }), 'columns');
    const created = await create(budgets, { account_mappings, columns: null });
    assert.equal(created.status, 201);
    refused(await update(created.body, { columns: ['date'] }), 'columns');
    refused(await create(await webhook(), { columns: ['date'] }), 'columns');
  });

  test('follow the type of the sync and of the destination, by their tables', () => {
    for (const destination of DESTINATION_TYPES) {
      for (const type of SYNC_TYPES) {
        const choose = (columns: readonly string[]) => () => requireColumns({ type, destination }, columns);
        const fields = Object.keys(SYNC_FIELDS[type]);
        if (DESTINATION_KINDS[destination].columns) choose(fields)();
        else assert.throws(choose(fields), { param: 'columns' });
        assert.throws(choose([...fields, 'available']), { code: 'parameter_invalid' });
      }
    }
  });
});
