import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requiresHttps } from '../../../src/surfaces/http/strict-transport.ts';
import { addPerson, signedIn } from '../../support/people.ts';
import { startService } from '../../support/service.ts';
import { rawExchange } from './raw-exchange.ts';

const HEADER = 'strict-transport-security';

/** One address of each surface, some of them refused or unknown, and one that no router can read. */
const ASKED: readonly (readonly [method: string, path: string])[] = [
  ['GET', '/'],
  ['GET', '/healthz'],
  ['GET', '/v2/me'],
  ['GET', '/v1/accounts'],
  ['GET', '/simplefin/info'],
  ['POST', '/mcp'],
  ['POST', '/oauth/token'],
  ['POST', '/oauth/register'],
  ['GET', '/oauth/authorize'],
  ['GET', '/sign-in'],
  ['GET', '/settings'],
  ['GET', '/link/nothing'],
  ['GET', '/connect/return'],
  ['GET', '/docs'],
  ['GET', '/docs/errors'],
  ['GET', '/v2/openapi.json'],
  ['GET', '/no/such/address'],
  ['GET', '/%'],
];

test('over https every answer has browsers come back over https alone, streamed ones too', async (t) => {
  const service = await startService({ PUBLIC_URL: 'https://tributary.example' });
  t.after(() => service.close());
  for (const [method, path] of ASKED) {
    const { status, headers } = await rawExchange(service.url, method, path);
    assert.equal(headers.get(HEADER), 'max-age=31536000', `${method} ${path} ${status}`);
  }
  const browser = await signedIn(service, await addPerson(service, await service.owner()));
  assert.equal((await browser.get('/settings/export')).headers.get(HEADER), 'max-age=31536000');
});

test('over plain http no answer says so', async (t) => {
  const service = await startService();
  t.after(() => service.close());
  for (const [method, path] of ASKED) {
    assert.equal((await rawExchange(service.url, method, path)).headers.get(HEADER), undefined, path);
  }
});

test('a host that is reached over http as well, and the own machine, are left as they are', () => {
  const of = (publicUrl: string, appUrl = publicUrl, mcpUrl = publicUrl) =>
    requiresHttps({ publicUrl, appUrl, mcpUrl });
  assert.equal(of('https://a.example'), true);
  assert.equal(of('https://a.example:8443/path'), true);
  assert.equal(of('https://a.example', 'https://app.a.example', 'http://127.0.0.1:8780'), true);
  assert.equal(of('http://a.example', 'https://app.a.example'), true);
  assert.equal(of('http://a.example'), false);
  assert.equal(of('https://a.example', 'https://a.example', 'http://a.example:8780'), false);
  assert.equal(of('https://localhost:8443'), false);
  assert.equal(of('https://tributary.localhost'), false);
  assert.equal(of('https://localhost.example'), true);
});
