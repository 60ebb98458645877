import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { parsePublicId } from '../../../src/vocabulary/ids.ts';
import { aimed, draft, startWithVendor, TARGETS } from '../../connectors/destinations/support/linked.ts';
import type { Vendor } from '../../connectors/destinations/support/vendor.ts';
import { withReadDeadline } from '../../support/read-deadline.ts';
import type { TestOwner, TestService } from '../../support/service.ts';
import type { Answer, Json } from '../../support/v2-client.ts';

let service: TestService;
let vendor: Vendor;
let owner: TestOwner;
before(async () => {
  ({ service, vendor } = await startWithVendor({ LIMIT_DESTINATION_RESOURCES: '3' }));
});
beforeEach(async () => {
  owner = await service.owner();
  vendor.troubles.clear();
  vendor.things.clear();
  vendor.calls.length = 0;
});
after(async () => {
  await service.close();
  await vendor.close();
});

function refused(answer: Answer, status: number, code: string, param: string | null = null): void {
  assert.deepEqual([answer.status, answer.body.error?.code, answer.body.error?.param], [status, code, param]);
}

const aim = (id: string, target: object) => owner.v2('POST', `/v2/destinations/${id}`, { target });
const thing = (id: string) => ({ id, name: `Name of ${id}`, url: null });

async function webhook(): Promise<Json> {
  const target = { url: 'http://127.0.0.1:9/hook' };
  return (await owner.v2('POST', '/v2/destinations', { type: 'webhook', name: 'Hook', target })).body;
}

async function setStatus(id: string, status: 'reauth_required' | 'disabled'): Promise<void> {
  const row = parsePublicId('destination', id) ?? assert.fail();
  await service.app.database.db.updateTable('destinations').set({ status }).where('id', '=', row).execute();
}

describe('a target', () => {
  test('makes a draft active [move destination: target set]', async () => {
    const { id, status } = await draft(owner);
    assert.equal(status, 'incomplete');
    const answer = await aim(id, TARGETS.sheets ?? {});
    assert.deepEqual(
      [answer.status, answer.body.status, answer.body.target],
      [200, 'active', TARGETS.sheets],
    );
    assert.deepEqual((await owner.v2('GET', `/v2/destinations/${id}`)).body, answer.body);
  });

  test('has exactly the keys of its type', async () => {
    const { id } = await draft(owner);
    const { sheet_name: _name, ...lacking } = TARGETS.sheets ?? {};
    refused(await aim(id, lacking), 400, 'parameter_missing', 'target.sheet_name');
    refused(await aim(id, {}), 400, 'parameter_missing', 'target.spreadsheet_id');
    refused(await aim(id, { ...TARGETS.sheets, url: 'x' }), 400, 'parameter_invalid', 'target.url');
    refused(await aim(id, { ...TARGETS.sheets, sheet_id: '' }), 400, 'parameter_invalid', 'target.sheet_id');
    refused(await aim(id, { ...TARGETS.sheets, sheet_id: 7 }), 400, 'parameter_invalid', 'target.sheet_id');
    const long = 'x'.repeat(201);
    refused(
      await aim(id, { ...TARGETS.sheets, sheet_id: long }),
      400,
      'parameter_invalid',
      'target.sheet_id',
    );
    refused(await aim(id, TARGETS.ynab ?? {}), 400, 'parameter_invalid', 'target.budget_id');
    assert.equal((await owner.v2('GET', `/v2/destinations/${id}`)).body.status, 'incomplete');
    const hook = await webhook();
    refused(await aim(hook.id, {}), 400, 'parameter_missing', 'target.url');
    refused(await aim(hook.id, { budget_id: 'x' }), 400, 'parameter_invalid', 'target.budget_id');
    refused(await aim(hook.id, { url: 'ftp://x.example' }), 400, 'parameter_invalid', 'target.url');
  });

  test('leaves every other status as it is, and can move while no sync has written to it', async () => {
    const { id } = await aimed(owner);
    const elsewhere = { ...TARGETS.sheets, spreadsheet_id: 'doc_2' };
    assert.deepEqual((await aim(id, elsewhere)).body.target, elsewhere);
    await setStatus(id, 'reauth_required');
    refused(await aim(id, TARGETS.sheets ?? {}), 424, 'upstream_auth_failed');
    assert.deepEqual((await owner.v2('GET', `/v2/destinations/${id}`)).body.target, elsewhere);
    const hook = await webhook();
    await setStatus(hook.id, 'disabled');
    assert.equal((await aim(hook.id, { url: 'http://127.0.0.1:9/new' })).body.status, 'disabled');
    refused(await owner.v2('POST', `/v2/destinations/${id}/rotate_secret`), 409, 'not_a_webhook');
    assert.equal((await owner.v2('POST', `/v2/destinations/${id}/enable`)).body.status, 'reauth_required');
  });
});

describe('resources of a destination', () => {
  const list = (id: string, query: string) => owner.v2('GET', `/v2/destinations/${id}/resources?${query}`);

  test('are read live, each in the same shape', async () => {
    const { id } = await draft(owner);
    vendor.things.set('spreadsheet ', [
      { id: 'doc_1', name: 'Money', url: 'https://sheets.example/doc_1' },
      thing('doc_2'),
    ]);
    const answer = await list(id, 'type=spreadsheet');
    assert.deepEqual(answer.body, {
      object: 'list',
      data: [
        {
          object: 'destination_resource',
          type: 'spreadsheet',
          id: 'doc_1',
          name: 'Money',
          parent: null,
          url: 'https://sheets.example/doc_1',
        },
        {
          object: 'destination_resource',
          type: 'spreadsheet',
          id: 'doc_2',
          name: 'Name of doc_2',
          parent: null,
          url: null,
        },
      ],
      next_page_url: null,
      previous_page_url: null,
    });
    vendor.things.set('spreadsheet ', []);
    assert.deepEqual((await list(id, 'type=spreadsheet')).body.data, []);
  });

  test('that lie in others take a parent, else the current target', async () => {
    const { id } = await draft(owner);
    refused(await list(id, 'type=sheet'), 400, 'parameter_missing', 'parent');
    vendor.things.set('sheet doc_1', [thing('0')]);
    vendor.things.set('sheet doc_2', [thing('1')]);
    const [named] = (await list(id, 'type=sheet&parent=doc_2')).body.data;
    assert.deepEqual([named.id, named.parent], ['1', 'doc_2']);
    await aim(id, TARGETS.sheets ?? {});
    const [own] = (await list(id, 'type=sheet')).body.data;
    assert.deepEqual([own.id, own.parent], ['0', 'doc_1']);
    refused(await list(id, 'type=sheet&parent=doc_9'), 400, 'upstream_bad_request');
    const budget = await aimed(owner, 'ynab');
    vendor.things.set('account budget_1', [thing('a')]);
    vendor.things.set('category budget_1', [thing('c')]);
    assert.equal((await list(budget.id, 'type=account')).body.data[0].id, 'a');
    assert.equal((await list(budget.id, 'type=category')).body.data[0].id, 'c');
  });

  test('are only those the type has', async () => {
    const { id } = await draft(owner);
    refused(await list(id, 'type=budget'), 400, 'parameter_invalid', 'type');
    refused(await list(id, 'type=folder'), 400, 'parameter_invalid', 'type');
    refused(await list(id, ''), 400, 'parameter_missing', 'type');
    refused(await list(id, 'type=spreadsheet&parent=x'), 400, 'parameter_invalid', 'parent');
    refused(await list((await webhook()).id, 'type=sheet'), 409, 'no_resources');
    assert.ok(!vendor.calls.includes('/resources'));
  });

  test('beyond what one answer holds are left out, and the answer says so [limit destination_resources]', async () => {
    const { id } = await draft(owner);
    vendor.things.set('spreadsheet ', ['1', '2', '3'].map(thing));
    const whole = await list(id, 'type=spreadsheet');
    assert.deepEqual([whole.body.data.length, whole.headers.get('x-service-truncated')], [3, null]);
    vendor.things.set('spreadsheet ', ['1', '2', '3', '4'].map(thing));
    const cut = await list(id, 'type=spreadsheet');
    assert.deepEqual([cut.body.data.length, cut.headers.get('x-service-truncated')], [3, 'true']);
  });

  test('fail with the code that says why, and with when to try again', async () => {
    const { id } = await draft(owner);
    const cases = [
      [{ status: 401 }, 424, 'upstream_auth_failed', null],
      [{ status: 429, headers: { 'retry-after': '17' } }, 429, 'upstream_rate_limited', '17'],
      [{ status: 500 }, 503, 'upstream_unavailable', '30'],
      ['reset', 503, 'upstream_unavailable', '30'],
      ['hang', 503, 'upstream_timeout', '30'],
      ['not json', 424, 'upstream_failed', null],
    ] as const;
    for (const [trouble, status, code, after] of cases) {
      vendor.troubles.set('/resources', trouble);
      const ask = () => list(id, 'type=spreadsheet');
      const answer = await (trouble === 'hang' ? withReadDeadline(service, 300, ask) : ask());
      refused(answer, status, code);
      assert.equal(answer.headers.get('retry-after'), after, code);
    }
  });

  test('are not asked for with a grant known to be dead', async () => {
    const { id } = await aimed(owner);
    await setStatus(id, 'reauth_required');
    refused(await list(id, 'type=spreadsheet'), 424, 'upstream_auth_failed');
    assert.ok(!vendor.calls.includes('/resources'));
  });

  test('need destinations:read, links and aiming destinations:write', async () => {
    const { id } = await draft(owner);
    const { secret } = await service.app.services.apiKeys.create(
      owner.record.id,
      { name: 'reader', scopes: ['destinations:read'] },
      null,
    );
    vendor.things.set('spreadsheet ', []);
    const as = { authorization: `Bearer ${secret}` };
    assert.equal(
      (await owner.v2('GET', `/v2/destinations/${id}/resources?type=spreadsheet`, undefined, as)).status,
      200,
    );
    refused(await owner.v2('POST', '/v2/destination_links', {}, as), 403, 'insufficient_scope');
    refused(await owner.v2('GET', '/v2/destination_links/dl_x', undefined, as), 403, 'insufficient_scope');
    refused(await owner.v2('POST', `/v2/destinations/${id}`, {}, as), 403, 'insufficient_scope');
  });
});
