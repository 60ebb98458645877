import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { NotionControl } from '../../../sandbox/notion/control.ts';
import { SimulatorControl } from '../../../sandbox/shared/control.ts';
import { DESTINATION_KINDS } from '../../../src/vocabulary/destination-kinds.ts';
import { parsePublicId } from '../../../src/vocabulary/ids.ts';
import { aimed, draft, startWithVendor, TARGETS } from '../../connectors/destinations/support/linked.ts';
import type { Vendor } from '../../connectors/destinations/support/vendor.ts';
import { withPatience } from '../../support/patience.ts';
import { withReadDeadline } from '../../support/read-deadline.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Answer, Json } from '../../support/v2-client.ts';
import { importedConnection, linkBank } from '../linking/person.ts';
import { connected, scenesOf } from './target-scenes.ts';

function refused(answer: Answer, status: number, code: string, param: string | null = null): void {
  assert.deepEqual([answer.status, answer.body.error?.code, answer.body.error?.param], [status, code, param]);
}

async function accountsOf(owner: TestOwner): Promise<readonly string[]> {
  const connection = await importedConnection(owner, await linkBank(owner));
  return connection.accounts.map((account: Json) => account.id);
}

describe('a vendor that is away while a target is looked at', () => {
  let service: TestService;
  let owner: TestOwner;
  let account: string;
  before(async () => {
    service = await startService();
    owner = await service.owner();
    [account = ''] = await accountsOf(owner);
  });
  after(() => service.close());

  const read = async (path: string): Promise<Json> => (await owner.v2('GET', path)).body;

  test('is no proof that the target is missing, whatever the type', async () => {
    const scenes = scenesOf(service).filter(
      // Without a vendor that could be unreachable.
      ({ type }) => type !== 'webhook' && DESTINATION_KINDS[type].connects !== 'direct',
    );
    assert.equal(scenes.length, 6);
    await Promise.all(
      scenes.map(async (scene) => {
        const { type } = scene;
        const control = service.app.sandbox?.simulators.get(type)?.control;
        assert.ok(control instanceof SimulatorControl, type);
        const [one, other] = [await scene.good(), await scene.good()];
        const id = await connected(owner, scene);
        const path = `/v2/destinations/${id}`;
        assert.equal((await owner.v2('POST', path, { target: one })).status, 200, type);
        const places = scene.places?.(one);
        const more =
          places === undefined
            ? {}
            : { mapping_mode: 'per_account', account_mappings: [places.entry(account, places.good[0])] };
        const sync = {
          type: 'transactions',
          name: 'Rows',
          destination: id,
          accounts: [account],
          run_now: false,
        };
        const before = await read(path);
        control.addFault({ route: '*', kind: 'connection-reset', count: 1000 });
        refused(await owner.v2('POST', path, { target: other }), 503, 'upstream_unavailable');
        const answer = await owner.v2('POST', '/v2/syncs', { mapping_mode: 'bulk', ...sync, ...more });
        refused(answer, 503, 'upstream_unavailable');
        assert.ok(Number(answer.headers.get('retry-after')) > 0, type);
        control.clear();
        assert.deepEqual(await read(path), before, type);
        assert.equal((await owner.v2('POST', path, { target: other })).status, 200, type);
      }),
    );
  });

  test('renews a grant that outlasts the refusal of the target', async () => {
    const scene = scenesOf(service).find(({ type }) => type === 'notion') ?? assert.fail();
    const control = service.app.sandbox?.simulators.get('notion')?.control;
    assert.ok(control instanceof NotionControl);
    const path = `/v2/destinations/${await connected(owner, scene)}`;
    control.expireTokens();
    const key = { 'Idempotency-Key': 'aim' };
    const missing = { target: { database_id: crypto.randomUUID() } };
    refused(await owner.v2('POST', path, missing, key), 400, 'parameter_invalid', 'target.database_id');
    assert.equal(control.grants().count > 0, true);
    const good = await owner.v2('POST', path, { target: await scene.good() });
    assert.deepEqual([good.status, good.body.status], [200, 'active'], JSON.stringify(good.body));
  });
});

describe('a check of a target', () => {
  let service: TestService;
  let vendor: Vendor;
  let owner: TestOwner;
  let accounts: readonly string[];
  before(async () => {
    ({ service, vendor } = await startWithVendor({ LIMIT_SIGN_INS_AT_ONCE: '4' }));
    owner = await service.owner();
    accounts = await accountsOf(owner);
  });
  beforeEach(() => {
    vendor.troubles.clear();
    vendor.gone.clear();
  });
  after(async () => {
    await service.close();
    await vendor.close();
  });

  const aim = (id: string, by = owner) => by.v2('POST', `/v2/destinations/${id}`, { target: TARGETS.sheets });
  const budgetSync = (destination: string) => ({
    type: 'transactions',
    name: 'Rows',
    destination,
    accounts: [accounts[0]],
    mapping_mode: 'bulk',
    account_mappings: [{ account: accounts[0], destination_account: 'b1' }],
    run_now: false,
  });

  test('fails with the code that says why, and leaves everything as it was', async () => {
    const { id } = await draft(owner);
    const budget = await aimed(owner, 'ynab');
    const sync = (await owner.v2('POST', '/v2/syncs', budgetSync(budget.id))).body;
    const other = await aimed(owner, 'ynab');
    const category = { provider_category: 'FOOD_AND_DRINK_COFFEE', destination_category: 'c1' };
    const doors = [
      () => aim(id),
      () => owner.v2('POST', '/v2/syncs', budgetSync(other.id)),
      () => owner.v2('POST', `/v2/syncs/${sync.id}`, { account_mappings: budgetSync('').account_mappings }),
      () => owner.v2('POST', `/v2/syncs/${sync.id}/category_mappings`, { mappings: [category] }),
    ];
    const cases = [
      [{ status: 401 }, 424, 'upstream_auth_failed', null],
      [{ status: 404 }, 400, 'upstream_bad_request', null],
      [{ status: 429, headers: { 'retry-after': '17' } }, 429, 'upstream_rate_limited', '17'],
      [{ status: 500 }, 503, 'upstream_unavailable', '30'],
      ['reset', 503, 'upstream_unavailable', '30'],
      ['hang', 503, 'upstream_timeout', '30'],
      ['not json', 424, 'upstream_failed', null],
    ] as const;
    for (const [trouble, status, code, after] of cases) {
      vendor.troubles.set('/check', trouble);
      for (const ask of doors) {
        const answer = await (trouble === 'hang' ? withReadDeadline(service, 300, ask) : ask());
        refused(answer, status, code);
        assert.equal(answer.headers.get('retry-after'), after, code);
      }
    }
    assert.equal((await owner.v2('GET', `/v2/destinations/${id}`)).body.status, 'incomplete');
    assert.equal((await owner.v2('GET', `/v2/destinations/${other.id}`)).body.sync_count, 0);
    assert.deepEqual((await owner.v2('GET', `/v2/syncs/${sync.id}`)).body, sync);
    assert.deepEqual((await owner.v2('GET', `/v2/syncs/${sync.id}/category_mappings`)).body.data, []);
    vendor.troubles.clear();
    for (const ask of doors) assert.ok((await ask()).status < 300);
  });

  test('is not made with a grant known to be over, nor of what is refused without asking', async () => {
    const { id } = await aimed(owner);
    const row = parsePublicId('destination', id) ?? assert.fail();
    const { db } = service.app.database;
    await db.updateTable('destinations').set({ status: 'reauth_required' }).where('id', '=', row).execute();
    vendor.calls.length = 0;
    refused(await aim(id), 424, 'upstream_auth_failed');
    const budget = await aimed(owner, 'ynab');
    vendor.calls.length = 0;
    const unmapped = { ...budgetSync(budget.id), account_mappings: [] };
    refused(await owner.v2('POST', '/v2/syncs', unmapped), 400, 'mapping_required', 'account_mappings');
    refused(
      await owner.v2('POST', `/v2/destinations/${budget.id}`, { target: {} }),
      400,
      'parameter_missing',
      'target.budget_id',
    );
    assert.equal((await owner.v2('POST', '/v2/syncs', budgetSync(budget.id))).status, 201);
    vendor.calls.length = 0;
    const elsewhere = { target: { budget_id: 'budget_2' } };
    refused(
      await owner.v2('POST', `/v2/destinations/${budget.id}`, elsewhere),
      409,
      'destination_in_use',
      'target',
    );
    assert.deepEqual(vendor.calls, []);
  });

  test('with an idempotency key is made again once what was wrong is put right', async () => {
    const { id } = await draft(owner);
    const key = { 'Idempotency-Key': 'aim-again' };
    const ask = () => owner.v2('POST', `/v2/destinations/${id}`, { target: TARGETS.sheets }, key);
    vendor.gone.add('doc_1');
    refused(await ask(), 400, 'parameter_invalid', 'target.spreadsheet_id');
    vendor.gone.clear();
    assert.equal((await ask()).body.status, 'active');
    vendor.calls.length = 0;
    assert.equal((await ask()).body.status, 'active');
    assert.deepEqual(vendor.calls, []);
  });

  test('of one greedy owner leaves room for others [limit sign_ins_at_once]', async () => {
    const drafts = await Promise.all(Array.from({ length: 4 }, () => draft(owner)));
    const other = await service.owner();
    const theirs = await draft(other);
    await withPatience([1000, 6000], (ms) =>
      withReadDeadline(service, ms, async () => {
        vendor.calls.length = 0;
        vendor.troubles.set('/check', 'hang');
        const many = await Promise.all(drafts.map(({ id }) => aim(id)));
        const codes = many.map(({ body }) => body.error.code);
        const busy = 'too_many_concurrent_requests';
        assert.deepEqual(codes.toSorted(), [busy, busy, 'upstream_timeout', 'upstream_timeout']);
        assert.ok(many.every(({ status, headers }) => status !== 429 || headers.has('retry-after')));
        const greedy = drafts.map(({ id }) => aim(id));
        while (vendor.calls.length < 4) await new Promise((resolve) => setImmediate(resolve));
        vendor.troubles.clear();
        assert.equal((await aim(theirs.id, other)).status, 200);
        await Promise.all(greedy);
      }),
    );
    assert.ok((await aim(drafts[0]?.id)).status === 200);
  });
});
