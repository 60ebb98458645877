import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { CURRENT_RELEASE } from '../../../src/vocabulary/service-version.ts';
import { assertDescribed } from '../../support/described-answer.ts';
import { commonService, type TestOwner, type TestService } from '../../support/service.ts';
import { v2Client } from '../../support/v2-client.ts';

let service: TestService;
let owner: TestOwner;

before(async () => {
  service = await commonService();
  owner = await service.owner();
});
after(() => service.close());

describe('every v2 answer', () => {
  test('carries a Request-Id and echoes the release', async () => {
    const answer = await owner.v2('GET', '/v2/me');
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('request-id') ?? '', /^req_[0-9a-z]+$/);
    assert.equal(answer.headers.get('service-version'), '2026-10-01.wattle');
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
    assert.equal(answer.body.object, 'account');
    assert.equal(answer.body.key.legacy, false);
  });

  test('echoes a release of ours on refusals too, whatever refused, and nothing else', async () => {
    const stranger = v2Client(service.url, 'nobody');
    for (const [answer, status] of [
      [await stranger('GET', '/v2/me'), 401],
      [await owner.v2('GET', '/v2/nothing-here'), 404],
      [await owner.v2('GET', '/v2/api_keys/%zz'), 404],
      [await owner.v2('GET', '/v2/api_keys?limit=0'), 400],
    ] as const) {
      assert.deepEqual([answer.status, answer.headers.get('service-version')], [status, CURRENT_RELEASE]);
    }
    const other = { 'service-version': '2027-01-01.banksia' };
    for (const ask of [stranger, owner.v2]) {
      assert.equal((await ask('GET', '/v2/me', undefined, other)).headers.get('service-version'), null);
    }
  });

  test('says which error it is, in the one envelope, with a doc_url that leads somewhere', async () => {
    const answer = await owner.v2('GET', '/v2/nothing-here');
    assert.equal(answer.status, 404);
    assert.deepEqual(Object.keys(answer.body.error), [
      'type',
      'code',
      'message',
      'param',
      'doc_url',
      'request_id',
    ]);
    assert.equal(answer.body.error.code, 'route_missing');
    assert.equal(answer.body.error.request_id, answer.headers.get('request-id'));
    const page = await fetch(answer.body.error.doc_url);
    assert.equal(page.status, 200);
    assert.ok((await page.text()).includes('id="route_missing"'));
  });
});

describe('a method HTTP knows and v2 does not', () => {
  for (const method of ['OPTIONS', 'PUT', 'PROPFIND', 'QUERY']) {
    test(`${method} has no route, and says so in the one envelope [code route_missing]`, async () => {
      const answer = await request(method);
      assert.equal(answer.status, 404);
      assert.equal(JSON.parse(answer.body).error.code, 'route_missing');
      assert.equal(JSON.parse(answer.body).error.request_id, answer.requestId);
    });
  }
});

/** The body of an answer, which is as the description says. */
async function described(method: string, path: string, response: Response) {
  const { status, headers } = response;
  const body: { error: { code: string; message: string } } = JSON.parse(await response.text());
  assertDescribed(method, path, { status, headers, body });
  return body;
}

/** Without a body and without what fetch would add or refuse. */
function request(method: string): Promise<{ status: number; requestId: string; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(`${service.url}/v2/me`, { method }, async (response) => {
      let body = '';
      for await (const chunk of response) body += String(chunk);
      resolve({ status: response.statusCode ?? 0, requestId: String(response.headers['request-id']), body });
    });
    sent.on('error', reject);
    sent.end();
  });
}

describe('the version header', () => {
  const cases: [string | null, string][] = [
    [null, 'version_required'],
    ['', 'version_required'],
    ['wattle', 'version_invalid'],
    ['2026-09-30.wattle', 'version_invalid'],
    ['2026-13-01.wattle', 'version_invalid'],
    ['2026-10-01.banksia', 'version_unknown'],
    ['2027-01-01.wattle', 'version_unknown'],
  ];
  for (const [header, code] of cases) {
    test(`${header === null ? 'absent' : `"${header}"`} is ${code}`, async () => {
      const headers: Record<string, string> = { authorization: `Bearer ${owner.key}` };
      if (header !== null) headers['service-version'] = header;
      const response = await fetch(`${service.url}/v2/me`, { headers });
      assert.equal(response.status, 400);
      const body = await described('GET', '/v2/me', response);
      assert.equal(body.error.code, code);
    });
  }
});

describe('a refusal says what was expected', () => {
  const none = `sync_${'0'.repeat(22)}`;
  const cases: [string, string, string, object | undefined, string][] = [
    [
      'a release that is not published',
      'GET',
      '/v2/me',
      undefined,
      `This API version does not exist; the latest is ${CURRENT_RELEASE}.`,
    ],
    [
      'a metadata key that is too long',
      'POST',
      '/v2/rulesets',
      { name: 'n', metadata: { ['k'.repeat(41)]: 'v' } },
      'A key of metadata must have 1 to 40 characters.',
    ],
    [
      'a confirmation that is none',
      'POST',
      '/v2/categories/reset',
      { confirm: false },
      'confirm: must be true.',
    ],
    [
      'a colour by its name',
      'POST',
      '/v2/categories',
      { name: 'n', color: 'red' },
      'color: must have the form #rrggbb.',
    ],
    [
      'a day in words',
      'POST',
      `/v2/syncs/${none}`,
      { options: { data_from: 'May' } },
      'options.data_from: must be a day such as 2026-01-31.',
    ],
    [
      'an include without brackets',
      'GET',
      '/v2/connections?include=accounts',
      undefined,
      'include is not a parameter of this operation. Write include[]=.',
    ],
    [
      'an include where there is nothing to include',
      'GET',
      '/v2/api_keys?include=secret',
      undefined,
      'include is not a parameter of this operation.',
    ],
    [
      'another destination for a sync',
      'PATCH',
      `/v2/syncs/${none}`,
      { destination: 'dest_x' },
      'destination cannot be changed. Delete this sync and create another.',
    ],
  ];
  for (const [name, method, path, body, message] of cases) {
    test(name, async () => {
      const headers = path === '/v2/me' ? { 'service-version': '2027-01-01.banksia' } : {};
      const answer = await owner.v2(method, path, body, headers);
      assert.equal(answer.body.error?.message, message, JSON.stringify(answer.body));
    });
  }
});

describe('authentication', () => {
  const cases: [string, string | null, string][] = [
    ['no header', null, 'api_key_missing'],
    ['another scheme', 'Basic abc', 'api_key_invalid'],
    ['no key after Bearer', 'Bearer ', 'api_key_invalid'],
    ['text that is no key', 'Bearer hunter2', 'api_key_invalid'],
    [
      'a key of the right form that nobody has',
      'Bearer trib_live_00000000000000000000000000000000000000',
      'api_key_invalid',
    ],
  ];
  for (const [name, authorization, code] of cases) {
    test(`${name} is ${code}`, async () => {
      const headers: Record<string, string> = { 'service-version': '2026-10-01.wattle' };
      if (authorization !== null) headers.authorization = authorization;
      const response = await fetch(`${service.url}/v2/me`, { headers });
      assert.equal(response.status, 401);
      const body = await described('GET', '/v2/me', response);
      assert.equal(body.error.code, code);
    });
  }

  test('a header of another scheme is answered with the form to send, not called a revoked key', async () => {
    for (const authorization of ['Basic dXNlcjpwYXNz', 'Bearer ', 'trib_live_0000']) {
      const response = await fetch(`${service.url}/v2/me`, {
        headers: { 'service-version': CURRENT_RELEASE, authorization },
      });
      const body = await described('GET', '/v2/me', response);
      assert.match(body.error.message, /must have the form: Bearer <API_KEY>/);
      assert.ok(!body.error.message.includes('dXNlcjpwYXNz'));
    }
  });

  test('a request without a version is answered with the version to send', async () => {
    const response = await fetch(`${service.url}/v2/me`, {
      headers: { authorization: `Bearer ${owner.key}` },
    });
    const body = await described('GET', '/v2/me', response);
    assert.equal(body.error.code, 'version_required');
    assert.ok(body.error.message.includes(CURRENT_RELEASE), body.error.message);
  });

  test('a stranger learns nothing of the body: the key is checked first', async () => {
    const response = await fetch(`${service.url}/v2/api_keys`, { method: 'POST', body: 'x'.repeat(200_000) });
    assert.equal(response.status, 401);
    await described('POST', '/v2/api_keys', response);
  });
});

describe('paging back', () => {
  test('to where nothing is left is an empty page, from which the list goes on', async () => {
    const walker = await service.owner();
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c']) ids.push((await walker.v2('POST', '/v2/rulesets', { name })).body.id);
    const first = await walker.v2('GET', '/v2/rulesets?limit=1');
    const second = await walker.v2('GET', first.body.next_page_url);
    await walker.v2('DELETE', `/v2/rulesets/${ids[2]}`);
    const back = await walker.v2('GET', second.body.previous_page_url);
    assert.deepEqual([back.body.data, back.body.previous_page_url], [[], null]);
    const on = await walker.v2('GET', back.body.next_page_url);
    assert.equal(on.body.data[0].id, ids[1]);
    assert.equal((await walker.v2('GET', on.body.next_page_url)).body.data[0].id, ids[0]);
  });
});
