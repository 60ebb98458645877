import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { OPERATIONS } from '../../../../src/operations/operation-table.ts';
import { describeV2 } from '../../../../src/surfaces/v2/openapi/description.ts';
import { commonService, startService, type TestService } from '../../../support/service.ts';

let service: TestService;
before(async () => {
  service = await commonService();
});
after(() => service.close());

async function get(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(new URL(path, service.url), { headers, redirect: 'manual' });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe('/v2/openapi.json', () => {
  test('is the description of this service, for anyone: without a key, without a version', async () => {
    const answer = await get('/v2/openapi.json');
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
    assert.match(answer.headers.get('request-id') ?? '', /^req_/);
    const { publicUrl } = service.app.services;
    assert.equal(answer.text, JSON.stringify(describeV2(OPERATIONS, publicUrl)));
  });

  test('is not sent again to a client that has it', async () => {
    const first = await get('/v2/openapi.json');
    const etag = first.headers.get('etag') ?? '';
    for (const tags of [etag, `"other", W/${etag}`]) {
      const again = await get('/v2/openapi.json', { 'if-none-match': tags });
      assert.equal(again.status, 304);
      assert.equal(again.text, '');
    }
    assert.equal((await get('/v2/openapi.json', { 'if-none-match': '"other"' })).status, 200);
  });
});

describe('/', () => {
  test('says what this is and leads to the operations and the guides', async () => {
    const page = await get('/');
    assert.equal(page.status, 200);
    for (const link of ['href="docs"', 'href="docs/guides"']) assert.ok(page.text.includes(link), link);
  });

  test('tells browsers where the link for the first person is, without the link, until someone can sign in', async () => {
    const fresh = await startService();
    const link = (await fresh.app.signIn.firstRun.issue()) ?? assert.fail();
    const opened = () => fetch(fresh.url, { headers: { accept: 'text/html' }, redirect: 'manual' });
    const before = await opened();
    const text = await before.text();
    assert.equal(before.status, 200);
    assert.equal(before.headers.get('cache-control'), 'no-store');
    assert.match(text, /first-run-link/);
    assert.ok(!text.includes(link));
    const chosen = { email: 'first@example.test', password: 'a long pass phrase of mine', timezone: null };
    await fresh.app.signIn.firstRun.complete(link, chosen, {
      address: '127.0.0.1',
      cookie: undefined,
      userAgent: undefined,
    });
    assert.ok(!(await (await opened()).text()).includes('first-run-link'));
    await fresh.close();
  });

  test('tells a person who linked without a return_url how it ended, and that the window can be closed', async () => {
    const done = await get('/?link_session=completed');
    assert.match(done.text, /Your bank or broker is linked[\s\S]*You can close this window/);
    const failed = await get('/?destination_link=failed&reason=access_denied');
    assert.match(failed.text, /Your destination was not linked[\s\S]*access_denied/);
    const hostile = await get('/?link_session=failed&reason=%3Cscript%3E');
    assert.ok(!hostile.text.includes('script>'));
  });
});
