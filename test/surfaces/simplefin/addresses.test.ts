import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { askBridge } from '../../support/bridge.ts';
import { commonService, type TestService } from '../../support/service.ts';
import { checkAccountSet } from '../../support/simplefin/import-client.ts';

describe('The other addresses of the bridge', () => {
  let service: TestService;
  before(async () => {
    service = await commonService();
  });
  after(() => service.close());

  it('info lists version 1.0 to everyone', async () => {
    const answer = await askBridge(service.url, '/info');
    assert.deepEqual([answer.status, answer.body], [200, { versions: ['1.0'] }]);
    assert.equal(answer.headers.get('access-control-allow-origin'), '*');
  });

  it('create leads a person to how a token is made', async () => {
    const answer = await askBridge(service.url, '/create');
    assert.equal(answer.status, 303);
    const page = await fetch(answer.headers.get('location') ?? '');
    assert.equal(page.status, 200);
    assert.match(await page.text(), /setup-token create/);
  });

  it('an address that is none is answered as an account set, and a method that is none with those there are', async () => {
    const none = await askBridge(service.url, '/nothing');
    assert.equal(none.status, 404);
    checkAccountSet(none.body);
    const post = await askBridge(service.url, '/accounts', { method: 'POST' });
    assert.deepEqual([post.status, post.headers.get('allow')], [405, 'GET, HEAD, OPTIONS']);
  });
});
