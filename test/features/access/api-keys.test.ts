import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { LEGACY_SCOPES } from '../../../src/vocabulary/scopes.ts';
import { withBrokenTable } from '../../operations/broken-table.ts';
import { withPatience } from '../../support/patience.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import { v2Client } from '../../support/v2-client.ts';

let service: TestService;
let owner: TestOwner;

before(async () => {
  service = await startService({ LIMIT_API_KEYS: '12' });
  owner = await service.owner();
});
after(() => service.close());

const newKey = (more: object = {}) => ({ name: 'reader', scopes: ['data:read'], ...more });

describe('limits the operator set', () => {
  test('hold when a key is created, in both directions', async (t) => {
    const service = await startService({ LIMIT_ALLOWED_IPS: '21', LIMIT_METADATA_PAIRS: '51' });
    t.after(() => service.close());
    const owner = await service.owner();
    const addresses = (count: number) => Array.from({ length: count }, (_, at) => `203.0.113.${at}`);
    const pairs = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`key${at}`, 'value']));
    const status = async (more: object) => {
      const { status, body } = await owner.v2('POST', '/v2/api_keys', newKey(more));
      return [status, body.error?.param];
    };
    assert.deepEqual(await status({ allowed_ips: addresses(21) }), [201, undefined]);
    assert.deepEqual(await status({ allowed_ips: addresses(22) }), [400, 'allowed_ips']);
    assert.deepEqual(await status({ metadata: pairs(51) }), [201, undefined]);
    assert.deepEqual(await status({ metadata: pairs(52) }), [400, 'metadata']);
  });
});

describe('a key', () => {
  test('shows its secret once, in the answer that creates it, and works', async () => {
    const created = await owner.v2('POST', '/v2/api_keys', newKey({ metadata: { team: 'books' } }));
    assert.equal(created.status, 201);
    assert.match(created.body.secret, /^trib_live_/);
    assert.equal(created.body.prefix, created.body.secret.slice(0, 16));
    const { secret, ...shown } = created.body;
    const read = await owner.v2('GET', `/v2/api_keys/${shown.id}`);
    assert.deepEqual(read.body, { ...shown, secret: null });
    const me = await v2Client(service.url, secret)('GET', '/v2/me');
    assert.deepEqual(me.body.key, { id: shown.id, name: 'reader', scopes: ['data:read'], legacy: false });
  });

  test('is never stored where its secret could be read back', async () => {
    const { body } = await owner.v2('POST', '/v2/api_keys', newKey());
    const rows = await service.app.database.db.selectFrom('api_keys').selectAll().execute();
    assert.ok(!JSON.stringify(rows).includes(body.secret.slice(16)));
  });

  test('says when it was last used', async () => {
    const { body } = await owner.v2('POST', '/v2/api_keys', newKey());
    assert.equal(body.last_used_at, null);
    const before = Date.now();
    await v2Client(service.url, body.secret)('GET', '/v2/me');
    await service.app.apiKeyAuthenticator.flushLastUsed();
    const { last_used_at } = (await owner.v2('GET', `/v2/api_keys/${body.id}`)).body;
    assert.ok(Date.parse(last_used_at) >= before && Date.parse(last_used_at) <= Date.now());
  });

  test('has its last use written later when the database refuses it at first', async () => {
    const { body } = await owner.v2('POST', '/v2/api_keys', newKey());
    await v2Client(service.url, body.secret)('GET', '/v2/me');
    await withBrokenTable(service, 'api_keys', () =>
      assert.rejects(service.app.apiKeyAuthenticator.flushLastUsed()),
    );
    await service.app.apiKeyAuthenticator.flushLastUsed();
    assert.notEqual((await owner.v2('GET', `/v2/api_keys/${body.id}`)).body.last_used_at, null);
  });

  test('has its last use written by the service itself, within seconds', { timeout: 600_000 }, async () => {
    const user = await service.owner();
    await user.v2('GET', '/v2/me');
    const page = { limit: 1, after: null, before: null };
    for (;;) {
      const { items } = await service.app.services.apiKeys.list(user.record.id, page);
      if (items[0]?.last_used_at != null) return;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  });

  test('stops working with the answer that revokes it, and revoking again is the same', async () => {
    const { body } = await owner.v2('POST', '/v2/api_keys', newKey());
    const client = v2Client(service.url, body.secret);
    assert.equal((await client('GET', '/v2/me')).status, 200);
    const revoked = await owner.v2('DELETE', `/v2/api_keys/${body.id}`);
    assert.deepEqual(revoked.body, { id: body.id, object: 'api_key', deleted: true });
    const refused = await client('GET', '/v2/me');
    assert.equal(refused.status, 401);
    assert.equal(refused.body.error.code, 'api_key_invalid');
    assert.equal((await owner.v2('DELETE', `/v2/api_keys/${body.id}`)).status, 200);
    assert.equal((await owner.v2('GET', `/v2/api_keys/${body.id}`)).body.status, 'revoked');
  });

  test('ends at its expires_at without anyone doing anything', async () => {
    await withPatience([400, 8000], async (ms) => {
      const soon = new Date(Date.now() + ms).toISOString();
      const { body } = await owner.v2('POST', '/v2/api_keys', newKey({ expires_at: soon }));
      assert.equal(body.expires_at, soon);
      const client = v2Client(service.url, body.secret);
      assert.equal((await client('GET', '/v2/me')).status, 200);
      await new Promise((resolve) => setTimeout(resolve, ms + 50));
      assert.equal((await client('GET', '/v2/me')).status, 401);
      assert.equal((await owner.v2('GET', `/v2/api_keys/${body.id}`)).body.status, 'expired');
    });
  });

  test('works only from its allowed addresses', async () => {
    const elsewhere = await owner.v2(
      'POST',
      '/v2/api_keys',
      newKey({ allowed_ips: ['203.0.113.0/24', '2001:db8::1'] }),
    );
    const refused = await v2Client(service.url, elsewhere.body.secret)('GET', '/v2/me');
    assert.equal(refused.status, 403);
    assert.equal(refused.body.error.code, 'ip_not_allowed');
    const forged = { 'x-forwarded-for': '203.0.113.9' };
    const claimed = await v2Client(service.url, elsewhere.body.secret)('GET', '/v2/me', undefined, forged);
    assert.equal(claimed.body.error.code, 'ip_not_allowed', 'no proxy is trusted here');
    const here = await owner.v2('POST', '/v2/api_keys', newKey({ allowed_ips: ['127.0.0.0/8'] }));
    assert.equal((await v2Client(service.url, here.body.secret)('GET', '/v2/me')).status, 200);
  });

  test('changes name and metadata; a metadata key set to null is unset; a change through PATCH is the same', async () => {
    const { body } = await owner.v2('POST', '/v2/api_keys', newKey({ metadata: { a: '1', b: '2' } }));
    const path = `/v2/api_keys/${body.id}`;
    const patched = await owner.v2('PATCH', path, { name: 'renamed', metadata: { a: null, c: '3' } });
    assert.equal(patched.status, 200);
    assert.deepEqual([patched.body.name, patched.body.metadata], ['renamed', { b: '2', c: '3' }]);
    const posted = await owner.v2('POST', path, { metadata: { b: null, c: null } });
    assert.deepEqual([posted.body.name, posted.body.metadata], ['renamed', {}]);
    const scopes = await owner.v2('POST', path, { scopes: ['keys:write'] });
    assert.equal(scopes.body.error.param, 'scopes');
  });
});

describe('what a key may give away', () => {
  test('is only what it holds, reads implied by writes included', async () => {
    const { body } = await owner.v2('POST', '/v2/api_keys', {
      name: 'm',
      scopes: ['keys:write', 'syncs:write'],
    });
    const client = v2Client(service.url, body.secret);
    const refused = await client('POST', '/v2/api_keys', newKey());
    assert.equal(refused.status, 403);
    assert.equal(refused.body.error.code, 'scope_not_held');
    assert.match(refused.body.error.message, /data:read/);
    assert.equal((await client('POST', '/v2/api_keys', newKey({ scopes: ['syncs:read'] }))).status, 201);
  });

  test('a key without keys:write manages no keys', async () => {
    const reader = await service.owner(['data:read']);
    for (const [method, path] of [
      ['GET', '/v2/api_keys'],
      ['POST', '/v2/api_keys'],
      ['DELETE', '/v2/api_keys/key_0000000000000000000000'],
    ] as const) {
      const answer = await reader.v2(method, path);
      assert.equal(answer.status, 403);
      assert.equal(answer.body.error.code, 'insufficient_scope');
    }
  });

  test('a legacy key holds every read scope and no other', async () => {
    const { secret } = await service.app.services.apiKeys.create(
      owner.record.id,
      { name: 'old', scopes: [], legacy: true },
      null,
    );
    const me = await v2Client(service.url, secret)('GET', '/v2/me');
    assert.deepEqual([me.body.key.legacy, me.body.key.scopes], [true, [...LEGACY_SCOPES]]);
    assert.equal((await v2Client(service.url, secret)('GET', '/v2/api_keys')).status, 403);
  });
});

describe('the list of keys', () => {
  test('is newest first, and its pages join without gap or repeat, forwards and back', async () => {
    const lister = await service.owner();
    for (const name of ['b', 'c', 'd', 'e']) await lister.v2('POST', '/v2/api_keys', newKey({ name }));
    const first = await lister.v2('GET', '/v2/api_keys?limit=2');
    assert.deepEqual(Object.keys(first.body), ['object', 'data', 'next_page_url', 'previous_page_url']);
    assert.deepEqual(names(first), ['e', 'd']);
    assert.equal(first.body.previous_page_url, null);
    await lister.v2('POST', '/v2/api_keys', newKey({ name: 'f' }));
    const second = await lister.v2('GET', first.body.next_page_url);
    const third = await lister.v2('GET', second.body.next_page_url);
    assert.deepEqual([names(second), names(third)], [['c', 'b'], ['test']]);
    assert.equal(third.body.next_page_url, null);
    const back = await lister.v2('GET', third.body.previous_page_url);
    assert.deepEqual(names(back), ['c', 'b']);
    const newest = await lister.v2(
      'GET',
      (await lister.v2('GET', back.body.previous_page_url)).body.previous_page_url,
    );
    assert.deepEqual(names(newest), ['f']);
  });

  test('a page token is worthless to another account record, and when a character of it is changed', async () => {
    const [one, other] = [await service.owner(), await service.owner()];
    await one.v2('POST', '/v2/api_keys', newKey());
    const { body } = await one.v2('GET', '/v2/api_keys?limit=1');
    const stolen = await other.v2('GET', body.next_page_url);
    assert.deepEqual([stolen.status, stolen.body.error.code], [400, 'page_invalid']);
    const changed = body.next_page_url.replace(/.$/, (last: string) => (last === 'A' ? 'B' : 'A'));
    assert.equal((await one.v2('GET', changed)).body.error.code, 'page_invalid');
  });

  test("never shows another account record's keys, and their ids are simply missing", async () => {
    const other = await service.owner();
    const mine = (await owner.v2('GET', '/v2/api_keys')).body.data[0].id;
    assert.deepEqual(names(await other.v2('GET', '/v2/api_keys')), ['test']);
    for (const method of ['GET', 'POST', 'DELETE'] as const) {
      const foreign = await other.v2(
        method,
        `/v2/api_keys/${mine}`,
        method === 'POST' ? { name: 'x' } : undefined,
      );
      const absent = await other.v2(
        method,
        '/v2/api_keys/key_0000000000000000000000',
        method === 'POST' ? { name: 'x' } : undefined,
      );
      assert.equal(foreign.status, 404);
      assert.deepEqual(withoutRequest(foreign.body), withoutRequest(absent.body));
    }
  });

  test('holds at most the configured number of working keys; a revoked one makes room', async () => {
    const hoarder = await service.owner();
    const ids: string[] = [];
    for (let at = 1; at < 12; at++) ids.push((await hoarder.v2('POST', '/v2/api_keys', newKey())).body.id);
    const refused = await hoarder.v2('POST', '/v2/api_keys', newKey());
    assert.deepEqual([refused.status, refused.body.error.code], [409, 'key_limit_reached']);
    await hoarder.v2('DELETE', `/v2/api_keys/${ids[0]}`);
    assert.equal((await hoarder.v2('POST', '/v2/api_keys', newKey())).status, 201);
  });
});

describe('a plan without API access', () => {
  test('is refused with plan_upgrade_required on every operation, and let in by a trial', async () => {
    const saver = await service.owner();
    await service.app.services.accountRecords.update(saver.record.id, { plan: 'saver' });
    const refused = await saver.v2('GET', '/v2/me');
    assert.deepEqual([refused.status, refused.body.error.code], [403, 'plan_upgrade_required']);
    await service.app.services.accountRecords.update(saver.record.id, {
      trial_ends_at: new Date(Date.now() + 60_000),
    });
    const me = await saver.v2('GET', '/v2/me');
    assert.deepEqual(me.body.entitlements, { api_access: true, brokerage: true });
  });
});

function names(answer: { body: { data: { name: string }[] } }): string[] {
  return answer.body.data.map((key) => key.name);
}

function withoutRequest(body: { error: object }): object {
  return { ...body.error, request_id: null };
}
