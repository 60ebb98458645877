import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { OPERATIONS } from '../../../src/operations/operation-table.ts';
import { CURRENT_RELEASE } from '../../../src/vocabulary/service-version.ts';
import { Browser } from '../../features/linking/browser.ts';
import { consentAtBank, openCallback, startSession } from '../../features/linking/person.ts';
import { commonService, type TestOwner, type TestService } from '../../support/service.ts';
import { type RawAnswer, rawExchange } from './raw-exchange.ts';

let service: TestService;
let owner: TestOwner;
before(async () => {
  service = await commonService();
  owner = await service.owner();
});
after(() => service.close());

/** What differs from one request to the next, whatever its method. */
const OWN: ReadonlySet<string> = new Set([
  'date',
  'request-id',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
]);

function lasting({ headers }: RawAnswer): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => !OWN.has(name)).toSorted());
}

/** What GET and HEAD answer. The two requests carry ids of one length, so their bodies would be of one length. */
async function both(
  path: string,
  headers: Record<string, string>,
): Promise<{ get: RawAnswer; head: RawAnswer }> {
  const get = await rawExchange(service.url, 'GET', path, headers);
  const head = await rawExchange(service.url, 'HEAD', path, headers);
  assert.equal(head.body, '', 'HEAD has no body');
  assert.equal(head.status, get.status);
  assert.deepEqual(lasting(head), lasting(get));
  return { get, head };
}

const remaining = ({ headers }: RawAnswer) => Number(headers.get('x-ratelimit-remaining'));

describe('HEAD is answered as GET, without the body', () => {
  for (const { id, method, path, streamed } of OPERATIONS) {
    // An answer that goes on never ends; test/surfaces/v2/event-stream.test.ts asks for its head.
    if (method !== 'GET' || streamed?.live === true) continue;
    test(`${id}: same headers, length, authentication and count`, async () => {
      const address = path.replaceAll(/:\w+/g, 'key_0000000000000000000000');
      const headers = { authorization: `Bearer ${owner.key}`, 'service-version': CURRENT_RELEASE };
      const { get, head } = await both(address, headers);
      assert.ok(Number(head.headers.get('content-length')) > 0);
      assert.equal(remaining(head), remaining(get) - 1);
      const stranger = await both(address, {});
      assert.equal(stranger.head.status, 401);
      const unversioned = await both(address, { authorization: `Bearer ${owner.key}` });
      assert.equal(unversioned.head.status, 400);
    });
  }

  const pages = [
    '/',
    '/docs',
    '/docs/guides',
    '/docs/errors',
    '/docs/operations/list_accounts',
    '/v2/openapi.json',
    '/healthz',
    '/readyz',
    '/link/nothing',
    '/connect/nothing',
    '/connect/return',
    '/nothing',
  ];
  for (const path of pages) {
    test(path, async () => {
      const { get } = await both(path, { accept: 'text/html', 'accept-encoding': 'br' });
      const etag = get.headers.get('etag');
      if (etag === undefined) return;
      const again = await both(path, { 'if-none-match': etag, 'accept-encoding': 'br' });
      assert.equal(again.head.status, 304);
    });
  }

  test('a page that a link opens', async () => {
    const session = await owner.v2('POST', '/v2/link_sessions', {
      provider: 'au_banking',
      institution: 'inst_fk_90001',
      return_url: 'http://localhost:3000/done',
    });
    assert.equal(session.status, 200);
    const { head } = await both(new URL(session.body.url).pathname, {});
    assert.equal(head.status, 200);
    assert.ok(Number(head.headers.get('content-length')) > 0);
  });
});

test('HEAD is not answered where there is no GET', async () => {
  const paths = new Set(OPERATIONS.filter(({ method }) => method === 'GET').map(({ path }) => path));
  const others = OPERATIONS.filter(({ path }) => !paths.has(path));
  assert.ok(others.length > 0);
  const headers = { authorization: `Bearer ${owner.key}`, 'service-version': CURRENT_RELEASE };
  for (const { path } of others) {
    const { head } = await both(path.replaceAll(/:\w+/g, 'x'), headers);
    assert.equal(head.status, 404, path);
  }
});

test('HEAD of the address a person comes back to from the bank changes nothing, and the visit itself completes', async () => {
  const browser = new Browser();
  const session = await startSession(owner);
  const callback = await consentAtBank(session.url, {}, browser);
  const row = () =>
    service.app.database.db
      .selectFrom('link_sessions')
      .selectAll()
      .where('account_record', '=', owner.record.id)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
  const before = await row();
  for (const asker of [browser, new Browser()]) {
    const { status, headers, location } = await asker.visit(callback, 'HEAD');
    assert.deepEqual([status, location], [200, '']);
    assert.match(headers.get('content-type') ?? '', /^text\/html/);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.ok(Number(headers.get('content-length')) > 0);
    assert.deepEqual(await row(), before);
  }
  assert.equal((await openCallback(callback, browser)).status, 303);
  const { body } = await owner.v2('GET', `/v2/link_sessions/${session.id}`);
  assert.equal(body.status, 'completed');
});
