import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { askBridge, basicOf, claimAddress, connectApp, newSetupToken } from '../../support/bridge.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';

describe('Claims of the bridge', () => {
  let service: TestService;
  let owner: TestOwner;

  before(async () => {
    service = await startService();
    owner = await service.owner();
  });
  after(() => service.close());

  const claim = (address: string, init: RequestInit = {}) =>
    fetch(address, { method: 'POST', redirect: 'manual', ...init });

  it('are made at the Base64 of the claim address, standard alphabet with padding, below the root', async () => {
    const { setup_token: text } = await newSetupToken(owner);
    assert.match(text, /^[A-Za-z0-9+/]+={0,2}$/);
    assert.equal(text.length % 4, 0);
    assert.match(claimAddress(text), new RegExp(`^${service.url}/simplefin/claim/[0-9A-Za-z]{32,}$`));
  });

  it('answer the access URL and nothing else, as text that nothing keeps', async () => {
    const { setup_token: text } = await newSetupToken(owner);
    const answer = await claim(claimAddress(text));
    const body = await answer.text();
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8');
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.equal(body, body.trim());
    const host = service.url.replace('http://', '');
    assert.match(body, new RegExp(`^http://[0-9A-Za-z]{32,}:[0-9A-Za-z]{32,}@${host}/simplefin$`));
    const read = await askBridge(service.url, '/accounts', { headers: { authorization: basicOf(body) } });
    assert.equal(read.status, 200, read.text);
  });

  it('are made with a slash behind the address as well, once', async () => {
    const { setup_token: text } = await newSetupToken(owner);
    const address = `${claimAddress(text)}/`;
    const answer = await claim(address);
    assert.equal(answer.status, 200);
    assert.match(await answer.text(), /^http:.*\/simplefin$/);
    for (const again of [address, claimAddress(text)]) {
      const refused = await claim(again);
      assert.deepEqual([refused.status, await refused.text()], [403, 'Forbidden']);
    }
    assert.equal((await claim(address, { method: 'OPTIONS' })).status, 204);
  });

  it('take a body of any type, of any use, and none', async () => {
    for (const init of [
      { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'a=b' },
      { headers: { 'content-type': 'application/json' }, body: '{broken' },
      { headers: { 'content-length': '0' } },
    ]) {
      const { setup_token: text } = await newSetupToken(owner);
      assert.equal((await claim(claimAddress(text), init)).status, 200);
    }
  });

  it('refuse a token that was claimed, is over, was revoked or is no one’s with 403 and one word [move simplefin_setup_token: claimed by an app] [move simplefin_setup_token: 7 days passed] [move simplefin_setup_token: revoked] [limit setup_token_days]', async () => {
    const used = await newSetupToken(owner);
    assert.equal((await claim(claimAddress(used.setup_token))).status, 200);
    const old = await newSetupToken(owner);
    assert.equal(Date.parse(old.expires_at) - Date.parse(old.created), 7 * 86_400_000);
    const { db } = service.app.database;
    await sql`update simplefin_setup_tokens set expires_at = now() - interval '1 second' where name = 'budget app' and claimed_at is null`.execute(
      db,
    );
    const revoked = await newSetupToken(owner);
    await owner.v2('DELETE', `/v2/simplefin_setup_tokens/${revoked.id}`);
    const root = `${service.url}/simplefin/claim`;
    const addresses = [used, old, revoked].map(({ setup_token: text }) => claimAddress(text));
    for (const address of [...addresses, `${root}/${'x'.repeat(40)}`, `${root}/short`, `${root}/%00`]) {
      const answer = await claim(address);
      assert.deepEqual([answer.status, await answer.text()], [403, 'Forbidden'], address);
    }
    const status = async (id: string) =>
      (await owner.v2('GET', `/v2/simplefin_setup_tokens/${id}`)).body.status;
    assert.deepEqual(
      [await status(used.id), await status(old.id), await status(revoked.id)],
      ['claimed', 'expired', 'revoked'],
    );
  });

  it('claim a token once, however many ask at the same moment', async () => {
    const { setup_token: text, id } = await newSetupToken(owner);
    const answers = await Promise.all(Array.from({ length: 12 }, () => claim(claimAddress(text))));
    const granted = answers.filter(({ status }) => status === 200);
    assert.equal(granted.length, 1);
    assert.ok(answers.every(({ status }) => status === 200 || status === 403));
    const { body } = await owner.v2('GET', `/v2/simplefin_setup_tokens/${id}`);
    const apps = await owner.v2('GET', '/v2/simplefin_apps?limit=100');
    const made = apps.body.data.filter((app: { setup_token: string }) => app.setup_token === id);
    assert.deepEqual(
      made.map((app: { id: string }) => app.id),
      [body.app],
    );
  });

  it('leave a token open where the plan has no bridge, and every refusal of a claim begins with the same word', async () => {
    const poor = await service.owner();
    const { setup_token: text } = await newSetupToken(poor);
    await service.app.services.accountRecords.update(poor.record.id, { plan: 'saver' });
    const refused = await claim(claimAddress(text));
    assert.deepEqual([refused.status, await refused.text()], [402, 'Forbidden']);
    await service.app.services.accountRecords.update(poor.record.id, { plan: 'developer' });
    assert.equal((await claim(claimAddress(text))).status, 200);
  });

  it('are a POST', async () => {
    const { setup_token: text } = await newSetupToken(owner);
    const answer = await fetch(claimAddress(text));
    assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'OPTIONS, POST']);
    assert.equal((await claim(claimAddress(text))).status, 200, 'the token is still open');
  });

  it('give each app credentials of its own', async () => {
    const [one, other] = [await connectApp(service, owner, 'one'), await connectApp(service, owner, 'other')];
    assert.notEqual(one.accessUrl, other.accessUrl);
    await owner.v2('DELETE', `/v2/simplefin_apps/${(await one.app()).id}`);
    assert.equal((await one.accounts()).status, 403);
    assert.equal((await other.accounts()).status, 200, 'the other goes on');
  });
});
