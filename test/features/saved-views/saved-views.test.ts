import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { addPerson, signedIn } from '../../support/people.ts';
import { startService, type TestService } from '../../support/service.ts';
import type { V2Client } from '../../support/v2-client.ts';

const MOST = 5;
let service: TestService;
before(async () => {
  service = await startService({ LIMIT_SAVED_VIEWS: String(MOST) });
});
after(() => service.close());

const view = (name: string) => ({ name, query: 'q=coffee&days=30' });

describe('saved views', () => {
  test('keep what was saved, in full and unread, until they are changed or deleted', async () => {
    const { v2 } = await service.owner();
    const query = 'q=caf%C3%A9+%26+tea&kind=out&days=30&unknown=1';
    const created = (await v2('POST', '/v2/saved_views', { name: '☕ “Coffee”', query })).body;
    assert.match(created.id, /^sv_/);
    assert.deepEqual([created.name, created.query], ['☕ “Coffee”', query]);
    const path = `/v2/saved_views/${created.id}`;
    const changed = (await v2('POST', path, { name: 'Coffee' })).body;
    assert.deepEqual([changed.name, changed.query, changed.created], ['Coffee', query, created.created]);
    assert.equal((await v2('POST', path, { query: '' })).body.query, '');
    assert.equal((await v2('GET', path)).body.name, 'Coffee');
    assert.deepEqual((await v2('DELETE', path)).body, {
      id: created.id,
      object: 'saved_view',
      deleted: true,
    });
    for (const method of ['GET', 'POST', 'DELETE'])
      assert.equal((await v2(method, path, method === 'POST' ? {} : undefined)).status, 404, method);
    assert.deepEqual((await v2('GET', '/v2/saved_views')).body.data, []);
  });

  const status = async (v2: V2Client, body: unknown) => (await v2('POST', '/v2/saved_views', body)).status;

  test('have names of at most 80 characters [limit view_name_characters]', async () => {
    const { v2 } = await service.owner();
    assert.equal(await status(v2, { name: 'é'.repeat(80), query: '' }), 200);
    assert.equal(await status(v2, { name: 'é'.repeat(81), query: '' }), 400);
    assert.equal(await status(v2, { name: '', query: '' }), 400);
  });

  test('have filters of at most 4000 characters [limit view_query_characters]', async () => {
    const { v2 } = await service.owner();
    assert.equal(await status(v2, { name: 'a', query: 'q'.repeat(4000) }), 200);
    assert.equal(await status(v2, { name: 'a', query: 'q'.repeat(4001) }), 400);
    assert.equal(await status(v2, { name: 'a' }), 400);
  });

  test('two devices that save at the limit at the same time never exceed it [limit saved_views]', async () => {
    const { v2 } = await service.owner();
    for (let at = 0; at < MOST - 2; at += 1) await v2('POST', '/v2/saved_views', view(`${at}`));
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => v2('POST', '/v2/saved_views', view(`late ${at}`))),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    assert.equal(answers.length - refused.length, 2);
    for (const { status, body } of refused) {
      assert.deepEqual([status, body.error.code], [400, 'parameter_invalid']);
      assert.match(body.error.message, /already 5 saved views/);
    }
    const listed = (await v2('GET', '/v2/saved_views?limit=100')).body.data;
    assert.equal(listed.length, MOST);
    await v2('DELETE', `/v2/saved_views/${listed[0].id}`);
    assert.equal((await v2('POST', '/v2/saved_views', view('in its place'))).status, 200);
  });

  test('one that is created again under the same key is the same one', async () => {
    const { v2 } = await service.owner();
    const create = () => v2('POST', '/v2/saved_views', view('Coffee'), { 'idempotency-key': 'once' });
    const answers = await Promise.all([create(), create(), create()]);
    const again = await create();
    const ids = new Set([...answers, again].flatMap(({ body }) => body.id ?? []));
    assert.equal(ids.size, 1);
    assert.equal((await v2('GET', '/v2/saved_views')).body.data.length, 1);
  });

  test('belong to one account record, whose readers see them and change none', async () => {
    const [owner, other] = [await service.owner(), await service.owner()];
    const { id } = (await owner.v2('POST', '/v2/saved_views', view('Coffee'))).body;
    assert.equal((await other.v2('GET', `/v2/saved_views/${id}`)).status, 404);
    assert.deepEqual((await other.v2('GET', '/v2/saved_views')).body.data, []);
    const { v2 } = await signedIn(service, await addPerson(service, owner, { role: 'reader' }));
    assert.equal((await v2('GET', '/v2/saved_views')).body.data[0].id, id);
    for (const [method, path, body] of [
      ['POST', '/v2/saved_views', view('Tea')],
      ['POST', `/v2/saved_views/${id}`, { name: 'Tea' }],
      ['DELETE', `/v2/saved_views/${id}`, undefined],
    ] as const)
      assert.equal((await v2(method, path, body)).body.error.code, 'insufficient_scope');
  });
});
