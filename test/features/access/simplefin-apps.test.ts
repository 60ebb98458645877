import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Scope } from '../../../src/vocabulary/scopes.ts';
import { withBrokenTable } from '../../operations/broken-table.ts';
import { claimAddress, connectApp, newSetupToken } from '../../support/bridge.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import { v2Client } from '../../support/v2-client.ts';

let service: TestService;
let owner: TestOwner;

before(async () => {
  service = await startService();
  owner = await service.owner();
});
after(() => service.close());

const claim = (text: string) => fetch(claimAddress(text), { method: 'POST' });

/** A key of the owner that holds these scopes, and its client. */
async function keyWith(scopes: readonly Scope[], more: object = {}) {
  const made = await owner.v2('POST', '/v2/api_keys', { name: 'k', scopes, ...more });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return v2Client(service.url, made.body.secret);
}

describe('a setup token', () => {
  test('is shown once, and neither it nor the credentials of its app are stored where they could be read back', async () => {
    const made = await newSetupToken(owner, 'Actual at home');
    const { setup_token: text, ...shown } = made;
    const read = await owner.v2('GET', `/v2/simplefin_setup_tokens/${made.id}`);
    assert.deepEqual(read.body, { ...shown, setup_token: null });
    assert.deepEqual([shown.name, shown.status, shown.app], ['Actual at home', 'open', null]);
    const answer = await claim(text);
    const { username, password } = new URL(await answer.text());
    const { db } = service.app.database;
    const rows = JSON.stringify([
      await db.selectFrom('simplefin_setup_tokens').selectAll().execute(),
      await db.selectFrom('simplefin_apps').selectAll().execute(),
    ]);
    for (const secret of [claimAddress(text).split('/').at(-1) ?? '', username, password]) {
      assert.ok(secret.length >= 32 && !rows.includes(secret));
    }
  });

  test('gives its form of amounts to the app that claims it, which is exact unless it says otherwise', async () => {
    for (const more of [{}, { two_decimals: false }, { two_decimals: true }]) {
      const made = await newSetupToken(owner, 'Sure', more);
      const wanted = more.two_decimals ?? false;
      assert.equal(made.two_decimals, wanted);
      await claim(made.setup_token);
      const { body: token } = await owner.v2('GET', `/v2/simplefin_setup_tokens/${made.id}`);
      const { body: app } = await owner.v2('GET', `/v2/simplefin_apps/${token.app}`);
      assert.deepEqual([token.two_decimals, app.two_decimals], [wanted, wanted]);
    }
  });

  test('becomes the app that claims it, under its name', async () => {
    const made = await newSetupToken(owner, 'Sure');
    await claim(made.setup_token);
    const { body: token } = await owner.v2('GET', `/v2/simplefin_setup_tokens/${made.id}`);
    const { body: app } = await owner.v2('GET', `/v2/simplefin_apps/${token.app}`);
    assert.deepEqual([app.name, app.status, app.setup_token], ['Sure', 'active', made.id]);
    assert.equal(token.claimed_at, app.created);
  });

  test('can be made only by a key that may do as much as an app', async () => {
    const future = new Date(Date.now() + 86_400_000).toISOString();
    const refused = [
      await keyWith(['keys:write']),
      await keyWith(['keys:write', 'data:read'], { allowed_ips: ['127.0.0.1'] }),
      await keyWith(['keys:write', 'data:read'], { expires_at: future }),
    ];
    for (const v2 of refused) {
      const { status, body } = await v2('POST', '/v2/simplefin_setup_tokens', { name: 'x' });
      assert.deepEqual([status, body.error.code], [403, 'scope_not_held']);
    }
    const reader = await keyWith(['data:read']);
    const { body } = await reader('POST', '/v2/simplefin_setup_tokens', { name: 'x' });
    assert.equal(body.error.code, 'insufficient_scope');
    const enough = await keyWith(['keys:write', 'data:read']);
    await newSetupToken({ v2: enough });
  });

  test('and apps together are bounded for each account record; what was revoked or is over frees its place [limit simplefin_apps]', async (t) => {
    const small = await startService({ LIMIT_SIMPLEFIN_APPS: '2' });
    t.after(() => small.close());
    const [person, other] = [await small.owner(), await small.owner()];
    const first = await newSetupToken(person);
    await newSetupToken(person);
    const ask = () => person.v2('POST', '/v2/simplefin_setup_tokens', { name: 'third' });
    assert.equal((await ask()).body.error.code, 'key_limit_reached');
    await claim(first.setup_token);
    assert.equal((await ask()).body.error.code, 'key_limit_reached', 'an app takes the place of its token');
    await newSetupToken(other);
    await person.v2('DELETE', `/v2/simplefin_setup_tokens/${first.id}`);
    assert.equal((await ask()).status, 201);
  });

  test('that could not be written was not made', async () => {
    await withBrokenTable(service, 'simplefin_setup_tokens', async () => {
      const { status, body } = await owner.v2('POST', '/v2/simplefin_setup_tokens', { name: 'x' });
      assert.deepEqual([status, body.error.code], [409, 'simplefin_setup_token_create_failed']);
    });
  });

  test('that is revoked takes the app with it that has claimed it', async () => {
    const app = await connectApp(service, owner);
    assert.equal((await app.accounts()).status, 200);
    const { setup_token: token } = await app.app();
    await owner.v2('DELETE', `/v2/simplefin_setup_tokens/${token}`);
    assert.equal((await app.accounts()).status, 403);
    assert.equal((await app.app()).status, 'revoked');
  });
});

describe('an app', () => {
  test('is listed, renamed and revoked; a revoked one stops at once and stays listed [move simplefin_app: revoked, or its setup token was]', async () => {
    const connected = await connectApp(service, owner, 'Firefly');
    const app = await connected.app();
    assert.equal(app.status, 'active');
    const path = `/v2/simplefin_apps/${app.id}`;
    const renamed = await owner.v2('POST', path, { name: 'Firefly III' });
    assert.equal(renamed.body.name, 'Firefly III');
    assert.equal((await owner.v2('PATCH', path, {})).body.name, 'Firefly III');
    assert.equal((await connected.accounts()).status, 200);
    const revoked = await owner.v2('DELETE', path);
    assert.deepEqual(revoked.body, { id: app.id, object: 'simplefin_app', deleted: true });
    const answer = await connected.accounts();
    assert.deepEqual([answer.status, answer.text], [403, 'Forbidden']);
    const { body } = await owner.v2('GET', '/v2/simplefin_apps?limit=100');
    const listed = body.data.find(({ id }: { id: string }) => id === app.id);
    assert.equal(listed.status, 'revoked');
    const again = (await owner.v2('DELETE', path)).status;
    const { revoked_at: moment } = (await owner.v2('GET', path)).body;
    assert.deepEqual([again, moment], [200, listed.revoked_at], 'revoking twice is the same as once');
  });

  test('says when it was last used', async () => {
    const connected = await connectApp(service, owner);
    assert.equal((await connected.app()).last_used_at, null);
    const before = Date.now();
    await connected.accounts();
    await service.app.bridgeAppAuthenticator.flushLastUsed();
    assert.ok(Date.parse((await connected.app()).last_used_at) >= before);
  });
});
