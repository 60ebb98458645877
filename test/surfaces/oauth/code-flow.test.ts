import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { commonService, type TestService } from '../../support/service.ts';
import {
  answerConsent,
  askV2,
  exchange,
  formOf,
  letIn,
  newVerifier,
  openConsent,
  refresh,
  register,
  request,
  signIn,
  tokensOf,
} from './stage.ts';

let service: TestService;
before(async () => {
  service = await commonService();
});
after(() => service.close());

test('a person lets an app in, and its token opens v2 for what they granted', async () => {
  const owner = await service.owner();
  const browser = await signIn(service, owner);
  const registered = await register(service);
  assert.equal(registered.status, 201, JSON.stringify(registered.body));
  const client = registered.body.client_id;
  const { verifier, challenge } = newVerifier();
  const resource = `${service.url}/v2`;
  const page = await openConsent(
    browser,
    request(client, challenge, { resource, scope: 'data:read syncs:read syncs:write' }),
  );
  assert.equal(page.status, 200, page.text);
  assert.deepEqual(formOf(page).ticked, ['data:read', 'syncs:read']);
  const back = await answerConsent(browser, page, 'allow');
  assert.equal(back.searchParams.get('state'), 'state-1');
  assert.equal(back.searchParams.get('iss'), service.url);
  const answer = await exchange(service, client, back.searchParams.get('code') ?? '', verifier);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  assert.match(answer.body.access_token, /^trib_oat_[\w-]{43}$/);
  assert.match(answer.body.refresh_token, /^trib_ort_[\w-]{43}$/);
  assert.equal(answer.body.scope, 'data:read syncs:read');
  assert.equal(answer.body.expires_in, 3600);
  const me = await askV2(service, answer.body.access_token);
  assert.equal(me.status, 200, JSON.stringify(me.body));
  assert.equal(me.body.key, null);
  assert.equal((await askV2(service, answer.body.access_token, '/v2/syncs')).status, 200);
  assert.equal((await askV2(service, answer.body.access_token, '/v2/categories')).status, 403);
});

test('a refresh token is good once, and gives new tokens of the same grant', async () => {
  const browser = await signIn(service, await service.owner());
  const first = await letIn(service, browser, { resource: `${service.url}/v2` });
  const answer = await refresh(service, first.client, first.refresh);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  const second = tokensOf(answer);
  assert.notEqual(second.refresh, first.refresh);
  assert.equal((await askV2(service, second.access)).status, 200);
});
