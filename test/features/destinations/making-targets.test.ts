import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { parsePublicId } from '../../../src/vocabulary/ids.ts';
import { aimed, draft, startWithVendor } from '../../connectors/destinations/support/linked.ts';
import type { Vendor } from '../../connectors/destinations/support/vendor.ts';
import type { TestOwner, TestService } from '../../support/service.ts';
import type { Answer } from '../../support/v2-client.ts';

let service: TestService;
let vendor: Vendor;
let owner: TestOwner;
before(async () => {
  ({ service, vendor } = await startWithVendor());
});
beforeEach(async () => {
  owner = await service.owner();
  vendor.troubles.clear();
});
after(async () => {
  await service.close();
  await vendor.close();
});

const make = (id: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  owner.v2('POST', `/v2/destinations/${id}/create_target`, body, headers);

function refused(answer: Answer, status: number, code: string, param: string | null = null): void {
  assert.deepEqual([answer.status, answer.body.error?.code, answer.body.error?.param], [status, code, param]);
}

describe('a target made over v2', () => {
  test('makes the draft active, and a sync can write there', async () => {
    const { id } = await draft(owner);
    const { status, body } = await make(id, { name: 'My money', parent: 'folder_1' });
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual([body.id, body.status, body.target.spreadsheet_name], [id, 'active', 'My money']);
    assert.match(body.target.spreadsheet_id, /^thing-/);
    assert.deepEqual((await owner.v2('GET', `/v2/destinations/${id}`)).body, body);
  });

  test('is made once for a request that is repeated under its key', async () => {
    const { id } = await draft(owner);
    const key = { 'idempotency-key': `make-${id}` };
    const made = vendor.calls.filter((path) => path === '/things').length;
    const first = await make(id, { name: 'My money' }, key);
    const second = await make(id, { name: 'My money' }, key);
    assert.deepEqual([first.status, second.body], [200, first.body]);
    assert.equal(vendor.calls.filter((path) => path === '/things').length, made + 1);
  });

  test('is refused where there is one, and for a sync that the type does not take', async () => {
    refused(await make((await aimed(owner)).id, { name: 'x' }), 400, 'parameter_invalid', 'target');
    const { id } = await draft(owner, 'ynab');
    refused(await make(id, { name: 'x', type: 'holdings' }), 400, 'parameter_invalid', 'type');
    assert.equal((await owner.v2('GET', `/v2/destinations/${id}`)).body.status, 'incomplete');
  });

  test('is refused for a webhook, which no one makes', async () => {
    const { body } = await owner.v2('POST', '/v2/destinations', {
      type: 'webhook',
      name: 'hook',
      target: { url: 'http://127.0.0.1:9/hook' },
    });
    refused(await make(body.id, { name: 'x' }), 400, 'not_supported');
  });

  test("of another owner's destination looks as if it were not there", async () => {
    const { id } = await draft(owner);
    owner = await service.owner();
    refused(await make(id, { name: 'x' }), 404, 'resource_missing');
  });

  test('is refused with the field at fault, before anyone is asked', async () => {
    const { id } = await draft(owner);
    const calls = vendor.calls.length;
    for (const [body, code, param] of [
      [{}, 'parameter_missing', 'name'],
      [{ name: '' }, 'parameter_invalid', 'name'],
      [{ name: 'x', parent: '' }, 'parameter_invalid', 'parent'],
      [{ name: 'x', type: 'loans' }, 'parameter_invalid', 'type'],
      [{ name: 'x', target: {} }, 'parameter_invalid', 'target'],
    ] as const) {
      refused(await make(id, body), 400, code, param);
    }
    assert.equal(vendor.calls.length, calls);
  });

  for (const [how, headers] of [
    ['', {}],
    [', under an idempotency key', { 'idempotency-key': 'nobody-knows' }],
  ] as const) {
    test(`keeps no transaction open while the vendor makes it${how}`, async () => {
      const { id } = await draft(owner);
      let meanwhile: Answer | null = null;
      vendor.beforeMaking = async () => {
        vendor.beforeMaking = async () => undefined;
        meanwhile = await make(id, { name: 'Another' });
      };
      assert.equal((await make(id, { name: 'My money' }, headers)).status, 200);
      refused(meanwhile ?? assert.fail('it was not asked'), 409, 'destination_in_use');
    });

    test(`is looked for by the next attempt where no one knows whether it was made${how}`, async () => {
      const { id } = await draft(owner);
      vendor.troubles.set('/things', 'reset');
      const { status } = await make(id, { name: 'My money' }, headers);
      assert.equal(status, 503);
      vendor.troubles.clear();
      assert.notEqual((await storedOf(id)).creation_key, null);
      assert.equal((await make(id, { name: 'My money' }, headers)).status, 200);
      assert.equal((await storedOf(id)).creation_key, null);
    });
  }
});

function storedOf(id: string): Promise<{ readonly creation_key: string | null }> {
  return service.app.database.db
    .selectFrom('destinations')
    .select('creation_key')
    .where('id', '=', parsePublicId('destination', id) ?? assert.fail(id))
    .executeTakeFirstOrThrow();
}
