import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { Compile } from 'typebox/compile';
import type { Operation } from '../../../src/operations/operation.ts';
import { OPERATIONS } from '../../../src/operations/operation-table.ts';
import { errorEnvelopeSchema } from '../../../src/surfaces/v2/errors.ts';
import { isErrorCode } from '../../../src/vocabulary/error-codes.ts';
import { assertDescribed } from '../../support/described-answer.ts';
import { commonService, type TestOwner, type TestService } from '../../support/service.ts';
import { generated } from '../../support/thorough.ts';
import { textOf } from '../../support/v2-client.ts';

let service: TestService;
let owner: TestOwner;
const envelope = Compile(errorEnvelopeSchema);

before(async () => {
  service = await commonService();
  owner = await service.owner();
});
after(() => service.close());

async function send(
  method: string,
  path: string,
  options: { body?: string | Uint8Array<ArrayBuffer>; type?: string; headers?: Record<string, string> } = {},
) {
  const response = await fetch(service.url + path, {
    method,
    redirect: 'manual',
    headers: {
      authorization: `Bearer ${owner.key}`,
      'service-version': '2026-10-01.wattle',
      ...(options.body === undefined ? {} : { 'content-type': options.type ?? 'application/json' }),
      ...options.headers,
    },
    ...(options.body === undefined ? {} : { body: options.body }),
  });
  const text = await textOf(response);
  const { status, headers } = response;
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') === true;
  assertDescribed(method, path, { status, headers, body: isStream ? text : JSON.parse(text) });
  return { status, text };
}

function assertEnvelope(answer: { status: number; text: string }): { code: string; param: string | null } {
  const body: unknown = JSON.parse(answer.text);
  assert.ok(envelope.Check(body), answer.text);
  assert.ok(isErrorCode(body.error.code), answer.text);
  assert.ok(!/ at .*\.ts:\d+/.test(answer.text), `a stack trace: ${answer.text}`);
  return body.error;
}

async function assertRefused(
  expected: { status: number; code: string; param?: string | null },
  answer: { status: number; text: string },
) {
  const error = assertEnvelope(answer);
  assert.deepEqual(
    { status: answer.status, code: error.code },
    { status: expected.status, code: expected.code },
    answer.text,
  );
  if (expected.param !== undefined) assert.equal(error.param, expected.param, answer.text);
}

const keys = '/v2/api_keys';
const good = { name: 'n', scopes: ['data:read'] };

describe('a body that is not what it should be is refused by name', () => {
  const cases: [string, string, { status: number; code: string; param?: string | null }][] = [
    ['malformed JSON', '{"name":', { status: 400, code: 'body_invalid' }],
    ['an array', '[]', { status: 400, code: 'body_invalid' }],
    ['a number', '5', { status: 400, code: 'body_invalid' }],
    ['null', 'null', { status: 400, code: 'body_invalid' }],
    ['nothing', '', { status: 400, code: 'parameter_missing', param: 'name' }],
    [
      'a missing field',
      JSON.stringify({ name: 'n' }),
      { status: 400, code: 'parameter_missing', param: 'scopes' },
    ],
    [
      'a wrong type',
      JSON.stringify({ ...good, name: 5 }),
      { status: 400, code: 'parameter_invalid', param: 'name' },
    ],
    [
      'an unknown field',
      JSON.stringify({ ...good, nmae: 1 }),
      { status: 400, code: 'parameter_invalid', param: 'nmae' },
    ],
    [
      'an unknown scope',
      JSON.stringify({ ...good, scopes: ['data:read', 'root'] }),
      { status: 400, code: 'parameter_invalid', param: 'scopes[1]' },
    ],
    [
      'a scope twice',
      JSON.stringify({ ...good, scopes: ['data:read', 'data:read'] }),
      { status: 400, code: 'parameter_invalid', param: 'scopes' },
    ],
    [
      'an empty name',
      JSON.stringify({ ...good, name: '' }),
      { status: 400, code: 'parameter_invalid', param: 'name' },
    ],
    [
      'a name of 101 characters',
      JSON.stringify({ ...good, name: 'x'.repeat(101) }),
      { status: 400, code: 'parameter_invalid', param: 'name' },
    ],
    [
      'a NUL in a text',
      JSON.stringify({ ...good, name: 'a\0b' }),
      { status: 400, code: 'parameter_invalid', param: 'name' },
    ],
    [
      'half a surrogate pair',
      '{"name":"\\ud800","scopes":["data:read"]}',
      { status: 400, code: 'parameter_invalid', param: 'name' },
    ],
    [
      'a NUL in a metadata key',
      JSON.stringify({ ...good, metadata: { 'a\0': 'x' } }),
      { status: 400, code: 'parameter_invalid' },
    ],
    [
      'metadata that is no text',
      JSON.stringify({ ...good, metadata: { a: 1 } }),
      { status: 400, code: 'parameter_invalid', param: 'metadata.a' },
    ],
    [
      '51 pairs of metadata',
      JSON.stringify({
        ...good,
        metadata: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`k${at}`, 'v'])),
      }),
      { status: 400, code: 'parameter_invalid', param: 'metadata' },
    ],
    [
      'a metadata key of 41 characters',
      JSON.stringify({ ...good, metadata: { ['k'.repeat(41)]: 'v' } }),
      { status: 400, code: 'parameter_invalid' },
    ],
    [
      'a metadata value of 501 characters',
      JSON.stringify({ ...good, metadata: { k: 'v'.repeat(501) } }),
      { status: 400, code: 'parameter_invalid', param: 'metadata.k' },
    ],
    [
      'a prototype for a key',
      '{"name":"n","scopes":["data:read"],"__proto__":{"x":1}}',
      { status: 400, code: 'parameter_invalid', param: '__proto__' },
    ],
    [
      'a bad address',
      JSON.stringify({ ...good, allowed_ips: ['10.0.0.0/33'] }),
      { status: 400, code: 'parameter_invalid', param: 'allowed_ips[0]' },
    ],
    [
      '21 addresses',
      JSON.stringify({ ...good, allowed_ips: Array.from({ length: 21 }, () => '10.0.0.1') }),
      { status: 400, code: 'parameter_invalid', param: 'allowed_ips' },
    ],
    [
      'an IPv4 address in IPv6 clothes, which would match nobody',
      JSON.stringify({ ...good, allowed_ips: ['::ffff:10.0.0.1'] }),
      { status: 400, code: 'parameter_invalid', param: 'allowed_ips[0]' },
    ],
    [
      'an expiry in the past',
      JSON.stringify({ ...good, expires_at: '2020-01-01T00:00:00Z' }),
      { status: 400, code: 'parameter_invalid', param: 'expires_at' },
    ],
    [
      'an expiry that is no moment',
      JSON.stringify({ ...good, expires_at: '2030-01-01' }),
      { status: 400, code: 'parameter_invalid', param: 'expires_at' },
    ],
    [
      '40,000 levels of nesting',
      `{"name":${'['.repeat(30_000)}${']'.repeat(30_000)}}`,
      { status: 400, code: 'parameter_invalid', param: 'name' },
    ],
    [
      '30,000 levels of nesting in no object',
      `${'['.repeat(30_000)}${']'.repeat(30_000)}`,
      { status: 400, code: 'body_invalid' },
    ],
  ];
  for (const [name, body, expected] of cases) {
    test(name, async () => assertRefused(expected, await send('POST', keys, { body })));
  }

  test('a body over 64 KiB', async () => {
    const body = JSON.stringify({ ...good, name: 'x'.repeat(65_536) });
    await assertRefused({ status: 413, code: 'body_too_large' }, await send('POST', keys, { body }));
  });

  test('a wrong content type', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'nonsense']) {
      await assertRefused(
        { status: 400, code: 'body_invalid' },
        await send('POST', keys, { body: JSON.stringify(good), type }),
      );
    }
  });

  test('bytes that are not UTF-8', async () => {
    const body = new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]);
    await assertRefused({ status: 400, code: 'body_invalid' }, await send('POST', keys, { body }));
  });

  test('a body where none is taken', async () => {
    await assertRefused(
      { status: 400, code: 'parameter_invalid', param: 'x' },
      await send('DELETE', `${keys}/key_${'0'.repeat(22)}`, { body: '{"x":1}' }),
    );
  });
});

describe('an address that is not what it should be is refused by name', () => {
  const cases: [string, string, { status: number; code: string; param?: string | null }][] = [
    ['an unknown route', '/v2/nothing', { status: 404, code: 'route_missing' }],
    ['the bare base', '/v2', { status: 404, code: 'route_missing' }],
    ['a trailing slash', '/v2/me/', { status: 404, code: 'route_missing' }],
    ['another case', '/v2/ME', { status: 404, code: 'route_missing' }],
    ['a broken escape', '/v2/api_keys/%zz', { status: 404, code: 'route_missing' }],
    ['an absurd id', '/v2/api_keys/x', { status: 404, code: 'resource_missing' }],
    ['a NUL in an id', '/v2/api_keys/key_%00', { status: 400, code: 'parameter_invalid', param: 'id' }],
    [
      'an id of another resource',
      `/v2/api_keys/conn_${'0'.repeat(22)}`,
      { status: 404, code: 'resource_missing' },
    ],
    ['an id past 128 bits', `/v2/api_keys/key_${'z'.repeat(22)}`, { status: 404, code: 'resource_missing' }],
    [
      'an id of 10,000 characters',
      `/v2/api_keys/${'a'.repeat(10_000)}`,
      { status: 404, code: 'route_missing' },
    ],
    [
      'an unknown parameter',
      '/v2/api_keys?connectionId=1',
      { status: 400, code: 'parameter_invalid', param: 'connectionId' },
    ],
    [
      'a parameter twice',
      '/v2/api_keys?limit=1&limit=2',
      { status: 400, code: 'parameter_invalid', param: 'limit' },
    ],
    ['limit 0', '/v2/api_keys?limit=0', { status: 400, code: 'parameter_invalid', param: 'limit' }],
    ['limit 101', '/v2/api_keys?limit=101', { status: 400, code: 'parameter_invalid', param: 'limit' }],
    ['limit 1e1', '/v2/api_keys?limit=1e1', { status: 400, code: 'parameter_invalid', param: 'limit' }],
    ['an empty limit', '/v2/api_keys?limit=', { status: 400, code: 'parameter_invalid', param: 'limit' }],
    [
      'a page token nobody issued',
      '/v2/api_keys?page=abc',
      { status: 400, code: 'page_invalid', param: 'page' },
    ],
    ['an empty page token', '/v2/api_keys?page=', { status: 400, code: 'page_invalid', param: 'page' }],
    [
      'a page token longer than any',
      `/v2/api_keys?page=${'A'.repeat(5000)}`,
      { status: 400, code: 'page_invalid', param: 'page' },
    ],
    [
      'an include nobody offers',
      '/v2/api_keys?include[]=secret',
      { status: 400, code: 'include_invalid', param: 'include[]' },
    ],
    [
      'a status of an array',
      '/v2/connections?status[]=active&status[]=nonsense',
      { status: 400, code: 'parameter_invalid', param: 'status[]' },
    ],
    [
      'an array without its brackets',
      '/v2/connections?status=active',
      { status: 400, code: 'parameter_invalid', param: 'status' },
    ],
    [
      'a list that is missing',
      '/v2/transactions/export',
      { status: 400, code: 'parameter_missing', param: 'account[]' },
    ],
    [
      'an account of an array that is not there',
      `/v2/transactions/export?account[]=acct_${'0'.repeat(22)}`,
      { status: 404, code: 'resource_missing', param: 'account[]' },
    ],
    [
      'an account, given by its plain name, that is not there',
      `/v2/balances?account=acct_${'0'.repeat(22)}`,
      { status: 404, code: 'resource_missing', param: 'account' },
    ],
    [
      'a prototype for a parameter',
      '/v2/api_keys?__proto__=1',
      { status: 400, code: 'parameter_invalid', param: '__proto__' },
    ],
    [
      'hasOwnProperty for a parameter',
      '/v2/api_keys?constructor=1',
      { status: 400, code: 'parameter_invalid', param: 'constructor' },
    ],
  ];
  for (const [name, path, expected] of cases) {
    test(name, async () => assertRefused(expected, await send('GET', path)));
  }

  test('a method without a route', async () => {
    for (const method of ['PUT', 'DELETE', 'OPTIONS', 'PROPFIND', 'PATCH']) {
      await assertRefused({ status: 404, code: 'route_missing' }, await send(method, '/v2/institutions'));
    }
  });
});

describe('bytes that are hardly HTTP end in an envelope or a closed socket, never in a crash', () => {
  const cases: [string, string][] = [
    ['not HTTP at all', 'NOT HTTP AT ALL\r\n\r\n'],
    ['headers past the limit', `GET /v2/me HTTP/1.1\r\nHost: x\r\nX-Big: ${'a'.repeat(100_000)}\r\n\r\n`],
    ['a NUL in a header', 'GET /v2/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \0\r\n\r\n'],
    [
      'two lengths',
      'POST /v2/api_keys HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx',
    ],
    [
      'length and chunks',
      'POST /v2/api_keys HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['no host', 'GET /v2/me HTTP/1.1\r\n\r\n'],
  ];
  for (const [name, bytes] of cases) {
    test(name, async () => {
      const answer = await raw(bytes);
      assert.match(answer, /^HTTP\/1\.1 4\d\d /);
      assert.doesNotMatch(answer, /"doc_url":null/);
      const alive = await send('GET', '/v2/me');
      assert.equal(alive.status, 200);
    });
  }
});

function raw(bytes: string): Promise<string> {
  const { hostname, port } = new URL(service.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes, 'latin1'));
    let answer = '';
    socket.setTimeout(60_000, () => socket.destroy());
    socket.on('data', (data) => {
      answer += data.toString('latin1');
      socket.end();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(answer));
  });
}

const invalidBody = fc.oneof(
  fc.json({ maxDepth: 4 }),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc
    .dictionary(fc.string({ maxLength: 12 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 5 })
    .map((value) => JSON.stringify(value)),
);

/** Right names with wrong values reach further into an operation than wrong names do. */
function nearMiss(operation: Operation): fc.Arbitrary<string> {
  const names = Object.keys(operation.body.properties);
  if (names.length === 0) return invalidBody;
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.integer(),
    fc.constant('conn_0000000000000000000000'),
  );
  return fc
    .dictionary(fc.constantFrom(...names), value, { maxKeys: names.length })
    .map((body) => JSON.stringify(body));
}

describe('generated invalid input never ends in a 500 or a stack trace', () => {
  for (const operation of OPERATIONS) {
    test(operation.id, { timeout: 300_000 }, async () => {
      const word = fc
        .string({ unit: 'binary', maxLength: 30 })
        .map((text) => encodeURIComponent(text.toWellFormed()));
      const query = fc.array(
        fc.tuple(
          fc.constantFrom('limit', 'page', 'include[]', 'x', ...Object.keys(operation.query.properties)),
          word,
        ),
        { maxLength: 3 },
      );
      const input = fc.record({
        id: fc.oneof(word, fc.constant('key_0000000000000000000000')),
        query,
        body: fc.oneof(invalidBody, nearMiss(operation)),
      });
      await fc.assert(
        fc.asyncProperty(input, async ({ id, query: pairs, body }) => {
          const path = operation.path.replaceAll(/:\w+/g, id === '' ? 'x' : id);
          const search = pairs.map(([name, value]) => `${name}=${value}`).join('&');
          const answer = await send(
            operation.method,
            `${path}?${search}`,
            operation.method === 'GET' ? {} : { body },
          );
          assert.ok(answer.status < 500, `${operation.method} ${path}?${search} ${body}: ${answer.text}`);
          if (answer.status >= 400) assertEnvelope(answer);
        }),
        { numRuns: generated(40) },
      );
    });
  }
});
