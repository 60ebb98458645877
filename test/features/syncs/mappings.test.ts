import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { parsePublicId } from '../../../src/vocabulary/ids.ts';
import { aimed, linkAt, startLink, startWithVendor } from '../../connectors/destinations/support/linked.ts';
import type { Vendor } from '../../connectors/destinations/support/vendor.ts';
import type { TestOwner, TestService } from '../../support/service.ts';
import type { Answer, Json } from '../../support/v2-client.ts';
import { importedConnection, linkBank, linkBroker, until } from '../linking/person.ts';

let service: TestService;
let vendor: Vendor;
let owner: TestOwner;
let accounts: string[];
before(async () => {
  ({ service, vendor } = await startWithVendor());
  owner = await service.owner();
  const connection = await importedConnection(owner, await linkBank(owner));
  accounts = connection.accounts.map((account: { id: string }) => account.id);
  assert.ok(accounts.length >= 3);
});
beforeEach(() => vendor.troubles.clear());
after(async () => {
  await service.close();
  await vendor.close();
});

function refused(answer: Answer, status: number, code: string, param: string | null = null): void {
  assert.deepEqual([answer.status, answer.body.error?.code, answer.body.error?.param], [status, code, param]);
}

async function webhook(): Promise<Json> {
  const target = { url: `http://127.0.0.1:9/${crypto.randomUUID()}` };
  return (await owner.v2('POST', '/v2/destinations', { type: 'webhook', name: 'Hook', target })).body;
}

const at = (index: number): string => accounts[index] ?? assert.fail();
const create = (destination: Json, more: object) =>
  owner.v2('POST', '/v2/syncs', {
    type: 'transactions',
    name: 'Mapped',
    destination: destination.id,
    accounts: [at(0), at(1)],
    mapping_mode: 'bulk',
    run_now: false,
    ...more,
  });
const update = (sync: Json, more: object) => owner.v2('POST', `/v2/syncs/${sync.id}`, more);
const budget = (account: string, to = 'b1') => ({ account, destination_account: to });
const tab = (account: string, id = '7') => ({ account, sheet_id: id, sheet_name: `Tab ${id}` });

describe('account mappings of a budgeting app', () => {
  test('are needed for every account, at creation and later', async () => {
    const destination = await aimed(owner, 'ynab');
    const missing = [400, 'mapping_required', 'account_mappings'] as const;
    refused(await create(destination, {}), ...missing);
    refused(await create(destination, { account_mappings: [] }), ...missing);
    refused(await create(destination, { account_mappings: [budget(at(0))] }), ...missing);
    const created = await create(destination, {
      account_mappings: [
        { ...budget(at(0)), destination_account_name: 'Cheque' },
        { ...budget(at(1), 'b2'), destination_account_name: null },
      ],
    });
    assert.equal(created.status, 201, JSON.stringify(created.body));
    const shown = [
      { account: at(0), destination_account: 'b1', destination_account_name: 'Cheque' },
      { account: at(1), destination_account: 'b2', destination_account_name: null },
    ];
    assert.deepEqual(created.body.account_mappings, shown);
    const sync = created.body;
    refused(await update(sync, { accounts: accounts.slice(0, 3) }), ...missing);
    refused(await update(sync, { account_mappings: [budget(at(1))] }), ...missing);
    assert.deepEqual((await update(sync, { account_mappings: shown })).body.account_mappings, shown);
    const fewer = await update(sync, { accounts: [at(1)] });
    assert.deepEqual(fewer.body.account_mappings, [shown[1]]);
    const more = await update(sync, {
      accounts: [at(2), at(1)],
      account_mappings: [budget(at(1), 'b9'), budget(at(2))],
    });
    assert.deepEqual([more.status, more.body.accounts], [200, [at(2), at(1)]]);
    assert.equal(more.body.account_mappings[0].destination_account, 'b9');
  });

  test('name the member at fault', async () => {
    const destination = await aimed(owner, 'ynab');
    const tried = async (...account_mappings: object[]) => create(destination, { account_mappings });
    const entry = 'account_mappings[1]';
    const first = budget(at(0));
    refused(await tried(first, { account: at(1) }), 400, 'parameter_missing', `${entry}.destination_account`);
    refused(
      await tried(first, { account: at(1), destination_account: null }),
      400,
      'parameter_missing',
      `${entry}.destination_account`,
    );
    refused(await tried(first, { destination_account: 'b' }), 400, 'parameter_missing', `${entry}.account`);
    refused(await tried(first, budget(at(2))), 400, 'parameter_invalid', `${entry}.account`);
    refused(await tried(first, first), 400, 'parameter_invalid', `${entry}.account`);
    refused(
      await tried(first, { ...budget(at(1)), budget: 'x' }),
      400,
      'parameter_invalid',
      `${entry}.budget`,
    );
    refused(
      await tried(first, { ...budget(at(1)), sheet_id: '1' }),
      400,
      'parameter_invalid',
      `${entry}.sheet_id`,
    );
    refused(await tried(first, budget('acct_x')), 404, 'resource_missing', `${entry}.account`);
    assert.equal((await owner.v2('GET', `/v2/destinations/${destination.id}`)).body.sync_count, 0);
  });

  test("of another owner's account answer as for an account that never was", async () => {
    const destination = await aimed(owner, 'ynab');
    const stranger = await service.owner();
    const connection = await importedConnection(stranger, await linkBank(stranger));
    const foreign = connection.accounts[0].id;
    const none = `acct_${'0'.repeat(21)}7`;
    const tried = async (account: string) => {
      const mapping = [budget(at(0)), budget(at(1)), budget(account)];
      const { status, body } = await create(destination, { account_mappings: mapping });
      return { status, ...body.error, request_id: '' };
    };
    assert.deepEqual(await tried(foreign), await tried(none));
    const listed = async (account: string) => {
      const { status, body } = await create(destination, { accounts: [at(0), account] });
      return { status, ...body.error, request_id: '' };
    };
    assert.deepEqual(await listed(foreign), await listed(none));
    assert.equal((await listed(foreign)).status, 404);
  });
});

describe('account mappings of a spreadsheet', () => {
  test('are taken per account only, and needed only for banking accounts added later', async () => {
    const destination = await aimed(owner);
    refused(
      await create(destination, { account_mappings: [tab(at(0))] }),
      400,
      'parameter_invalid',
      'account_mappings',
    );
    const mapping_mode = 'per_account';
    const lacking = { account: at(0), sheet_id: '1' };
    refused(
      await create(destination, { mapping_mode, account_mappings: [lacking] }),
      400,
      'parameter_missing',
      'account_mappings[0].sheet_name',
    );
    const { body: sync, status } = await create(destination, { mapping_mode });
    assert.deepEqual(
      [status, sync.account_mappings, sync.destination.mapping_mode],
      [201, [], 'per_account'],
    );
    const three = accounts.slice(0, 3);
    refused(await update(sync, { accounts: three }), 400, 'mapping_required', 'account_mappings');
    refused(
      await update(sync, { accounts: three, account_mappings: [tab(at(0))] }),
      400,
      'mapping_required',
      'account_mappings',
    );
    assert.deepEqual((await owner.v2('GET', `/v2/syncs/${sync.id}`)).body.accounts, [at(0), at(1)]);
    const added = await update(sync, { accounts: three, account_mappings: [tab(at(2))] });
    assert.deepEqual([added.status, added.body.account_mappings], [200, [tab(at(2))]]);
    assert.deepEqual((await update(sync, { accounts: [at(1), at(0)] })).body.account_mappings, []);
  });

  test('are not asked for of a brokerage account, which is refused at creation and later alike', async () => {
    const { accounts: broker } = await importedConnection(owner, await linkBroker(owner, 'self-directed'));
    const mapping_mode = 'per_account';
    const withBroker = [at(0), broker[0].id];
    const destination = await aimed(owner);
    refused(
      await create(destination, { mapping_mode, accounts: withBroker }),
      400,
      'parameter_invalid',
      'accounts',
    );
    const { body: sync } = await create(destination, { mapping_mode, accounts: [at(0)] });
    refused(await update(sync, { accounts: withBroker }), 400, 'parameter_invalid', 'accounts');
  });

  test('and a mode, are refused where the type has neither', async () => {
    const hook = await webhook();
    refused(await create(hook, { mapping_mode: 'per_account' }), 400, 'parameter_invalid', 'mapping_mode');
    refused(
      await create(hook, { account_mappings: [tab(at(0))] }),
      400,
      'parameter_invalid',
      'account_mappings',
    );
    assert.equal((await create(hook, { account_mappings: [] })).status, 201);
  });
});

describe('category mappings', () => {
  async function budgetSync(): Promise<Json> {
    const account_mappings = [budget(at(0)), budget(at(1))];
    return (await create(await aimed(owner, 'ynab'), { account_mappings })).body;
  }
  const set = (sync: Json, mappings: unknown) =>
    owner.v2('POST', `/v2/syncs/${sync.id}/category_mappings`, { mappings });

  test('are replaced as a whole; null unmaps', async () => {
    const sync = await budgetSync();
    const path = `/v2/syncs/${sync.id}/category_mappings`;
    const empty = { object: 'list', data: [], next_page_url: null, previous_page_url: null };
    assert.deepEqual((await owner.v2('GET', path)).body, empty);
    const answer = await set(sync, [
      { provider_category: 'TRAVEL', destination_category: 'c1', destination_category_name: 'Trips' },
      { provider_category: 'INCOME_SALARY', destination_category: 'c2' },
      { provider_category: 'MEDICAL', destination_category: null },
    ]);
    assert.deepEqual(answer.body, {
      ...empty,
      data: [
        {
          object: 'category_mapping',
          provider_category: 'TRAVEL',
          destination_category: 'c1',
          destination_category_name: 'Trips',
        },
        {
          object: 'category_mapping',
          provider_category: 'INCOME_SALARY',
          destination_category: 'c2',
          destination_category_name: null,
        },
      ],
    });
    assert.deepEqual((await owner.v2('GET', path)).body, answer.body);
    assert.deepEqual((await set(sync, [])).body, empty);
    assert.deepEqual((await owner.v2('GET', path)).body, empty);
  });

  test('name the line at fault and leave the set as it was', async () => {
    const sync = await budgetSync();
    const good = { provider_category: 'TRAVEL', destination_category: 'c1' };
    await set(sync, [good]);
    const line = 'mappings[1].provider_category';
    refused(
      await set(sync, [good, { ...good, provider_category: 'TREVAL' }]),
      400,
      'parameter_invalid',
      line,
    );
    refused(await set(sync, [good, good]), 400, 'parameter_invalid', line);
    refused(
      await set(sync, [{ provider_category: 'TRAVEL' }]),
      400,
      'parameter_missing',
      'mappings[0].destination_category',
    );
    refused(await set(sync, [{ ...good, colour: 'red' }]), 400, 'parameter_invalid', 'mappings[0].colour');
    refused(await set(sync, undefined), 400, 'parameter_missing', 'mappings');
    const { body } = await owner.v2('GET', `/v2/syncs/${sync.id}/category_mappings`);
    assert.deepEqual(
      body.data.map((row: Json) => row.provider_category),
      ['TRAVEL'],
    );
  });

  test('exist for budgeting apps only, and for their owner only', async () => {
    const { body: plain } = await create(await webhook(), {});
    const path = `/v2/syncs/${plain.id}/category_mappings`;
    refused(await owner.v2('GET', path), 400, 'not_supported');
    refused(await set(plain, []), 400, 'not_supported');
    const sync = await budgetSync();
    const stranger = await service.owner();
    const none = `sync_${'0'.repeat(21)}7`;
    for (const [method, body] of [['GET'], ['POST', { mappings: [] }]] as const) {
      const theirs = await stranger.v2(method, `/v2/syncs/${sync.id}/category_mappings`, body);
      const nobodys = await stranger.v2(method, `/v2/syncs/${none}/category_mappings`, body);
      assert.equal(theirs.status, 404);
      assert.deepEqual({ ...theirs.body.error, request_id: '' }, { ...nobodys.body.error, request_id: '' });
    }
  });
});

test('a sync whose destination is gone has nothing to run or map against [code sync_has_no_destination]', async () => {
  const destination = await aimed(owner, 'ynab');
  const account_mappings = [budget(at(0)), budget(at(1))];
  const { body: sync } = await create(destination, { account_mappings });
  const id = parsePublicId('destination', destination.id) ?? assert.fail();
  // As in the moment in which a deletion has taken the destination and not yet the sync.
  await service.app.database.db.transaction().execute(async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx);
    await trx.deleteFrom('destinations').where('id', '=', id).execute();
  });
  const path = `/v2/syncs/${sync.id}`;
  refused(await owner.v2('GET', `${path}/category_mappings`), 409, 'sync_has_no_destination');
  refused(
    await owner.v2('POST', `${path}/category_mappings`, { mappings: [] }),
    409,
    'sync_has_no_destination',
  );
  refused(await owner.v2('POST', `${path}/run`), 409, 'sync_has_no_destination');
  refused(await owner.v2('POST', `${path}/resync`, { confirm: true }), 409, 'sync_has_no_destination');
});

describe('a sync', () => {
  test('frees its destination when it goes, takes its runs along and leaves the destination', async () => {
    const destination = await aimed(owner);
    const { body: sync } = await create(destination, { run_now: true });
    const path = `/v2/sync_runs/${sync.latest_run.id}`;
    await until(
      async () => (await owner.v2('GET', path)).body,
      (run) => run.completed_at !== null,
    );
    refused(await owner.v2('POST', `${path}/cancel`), 409, 'run_not_cancellable');
    assert.equal((await owner.v2('DELETE', `/v2/syncs/${sync.id}`)).status, 200);
    refused(await owner.v2('GET', path), 404, 'resource_missing');
    const { body: left } = await owner.v2('GET', `/v2/destinations/${destination.id}`);
    assert.deepEqual([left.sync_count, left.target], [0, destination.target]);
    const both = await Promise.all([create(destination, {}), create(destination, {})]);
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [201, 409]);
    const lost = both.find(({ status }) => status === 409) ?? assert.fail();
    refused(lost, 409, 'destination_in_use', 'destination');
  });

  test('answers with the day it begins with, at creation and when it is changed', async () => {
    const { body: sync } = await create(await webhook(), { options: { data_from: '1999-01-01' } });
    const today = new Date();
    const years = today.getUTCFullYear() - Number(sync.options.data_from.slice(0, 4));
    assert.ok(years === 7 || years === 6, sync.options.data_from);
    const later = await update(sync, { options: { data_from: '2999-01-01', mask_account_numbers: false } });
    const shown = Date.parse(later.body.options.data_from);
    assert.ok(Math.abs(shown - today.getTime()) < 2 * 86_400_000, later.body.options.data_from);
    assert.deepEqual(
      [later.body.options.mask_account_numbers, later.body.options.include_pending],
      [false, sync.options.include_pending],
    );
    refused(await update(sync, { mapping_mode: 'bulk' }), 400, 'parameter_invalid', 'mapping_mode');
    refused(
      await update(sync, { destination: sync.destination.id }),
      400,
      'parameter_invalid',
      'destination',
    );
  });
});

describe('a destination whose grant ended', () => {
  test('takes no run until it is linked again [move destination: grant failed during a sync] [move sync: the destination was linked again]', async () => {
    const destination = await aimed(owner);
    const { body: sync } = await create(destination, {});
    vendor.grants.clear();
    const started = await owner.v2('POST', `/v2/syncs/${sync.id}/run`);
    assert.equal(started.status, 202);
    const run = await until(
      async () => (await owner.v2('GET', `/v2/sync_runs/${started.body.id}`)).body,
      (one) => one.completed_at !== null,
    );
    assert.deepEqual(run.failure, { code: 'destination_auth_failed', retryable: false });
    const read = async () => {
      const [one, other] = [
        await owner.v2('GET', `/v2/destinations/${destination.id}`),
        await owner.v2('GET', `/v2/syncs/${sync.id}`),
      ];
      return [one.body.status, other.body.status, other.body.attention];
    };
    assert.deepEqual(await read(), ['reauth_required', 'attention', { code: 'destination_auth_expired' }]);
    refused(await owner.v2('POST', `/v2/syncs/${sync.id}/run`), 400, 'destination_incomplete');
    refused(
      await owner.v2('POST', `/v2/syncs/${sync.id}/resync`, { confirm: true }),
      400,
      'destination_incomplete',
    );
    const due = parsePublicId('sync', sync.id) ?? assert.fail();
    await service.app.database.db
      .updateTable('syncs')
      .set({ next_run_at: new Date(0) })
      .where('id', '=', due)
      .execute();
    await service.app.services.syncRuns.startDue(owner.record.id, due);
    assert.ok((await owner.v2('GET', `/v2/syncs/${sync.id}`)).body.next_run_at > run.completed_at);
    assert.equal((await owner.v2('GET', `/v2/syncs/${sync.id}/runs`)).body.data.length, 1);

    await linkAt(await startLink(owner, { destination: destination.id }));
    assert.deepEqual(await read(), ['active', 'idle', null]);
    const again = await owner.v2('POST', `/v2/syncs/${sync.id}/run`);
    const second = await until(
      async () => (await owner.v2('GET', `/v2/sync_runs/${again.body.id}`)).body,
      (one) => one.completed_at !== null,
    );
    assert.equal(second.status, 'succeeded', JSON.stringify(second));
    assert.ok(second.counts.added > 0);
    const elsewhere = { ...destination.target, spreadsheet_id: 'doc_2' };
    const path = `/v2/destinations/${destination.id}`;
    refused(await owner.v2('POST', path, { target: elsewhere }), 409, 'destination_in_use', 'target');
    const renamed = { ...destination.target, sheet_name: 'Other' };
    assert.deepEqual((await owner.v2('POST', path, { target: renamed })).body.target, renamed);
  });
});
