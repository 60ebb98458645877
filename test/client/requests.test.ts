import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import {
  ApiError,
  AuthenticationError,
  type ClientOptions,
  IdempotencyError,
  InvalidRequestError,
  jsonLines,
  PermissionError,
  RateLimitError,
  ServiceFailure,
  serverSentEvents,
  Tributary,
  TributaryError,
  UnreachableError,
  UpstreamError,
} from '#client';
import { ERROR_CODES } from '../../src/vocabulary/error-codes.ts';
import { commonService } from '../support/service.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const LIST = { object: 'list', data: [], next_page_url: null, previous_page_url: null };

/** A client of a server that gives these answers in turn, the last one again and again; and the requests it got. */
async function scripted(t: TestContext, answers: readonly Answer[], options: Partial<ClientOptions> = {}) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    (answers[requests.length - 1] ?? answers.at(-1))?.(request, response);
  });
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() satisfies AddressInfo | string | null as AddressInfo;
  const client = new Tributary({ url: `http://127.0.0.1:${port}`, apiKey: 'trib_live_x', ...options });
  return { client, requests };
}

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };

const refused = (status: number, type: string, code: string, headers: Record<string, string> = {}): Answer =>
  json(
    status,
    { error: { type, code, message: `because ${code}`, param: 'name', doc_url: 'https://x/docs#a' } },
    { 'request-id': 'req_1', ...headers },
  );

const brokenOff: Answer = ({ socket }) => {
  socket.destroy();
};

test('a write that got no answer is sent again with the same idempotency key', async (t) => {
  const { client, requests } = await scripted(t, [brokenOff, json(503, {}), json(201, { id: 'rset_1' })]);
  assert.equal((await client.rulesets.create({ name: 'Rules' })).id, 'rset_1');
  const keys = requests.map(({ headers }) => headers['idempotency-key']);
  assert.equal(keys.length, 3);
  assert.equal(new Set(keys).size, 1);
  assert.match(String(keys[0]), /^[0-9a-f]{32}$/);
});

test('two writes have two idempotency keys, a given one is sent, and a read has none', async (t) => {
  const { client, requests } = await scripted(t, [json(200, { ...LIST, id: 'x' })]);
  await client.rulesets.create({ name: 'A' });
  await client.rulesets.create({ name: 'A' });
  await client.rulesets.create({ name: 'A' }, { idempotencyKey: 'mine' });
  await client.rulesets.list().page();
  const [first, second, given, read] = requests.map(({ headers }) => headers['idempotency-key']);
  assert.notEqual(first, second);
  assert.equal(given, 'mine');
  assert.equal(read, undefined);
});

test('Retry-After is obeyed, and a longer wait than allowed fails at once', async (t) => {
  const limited = refused(429, 'rate_limit_error', 'too_many_requests', { 'retry-after': '1' });
  const { client, requests } = await scripted(t, [limited, json(200, LIST)]);
  const started = performance.now();
  await client.accounts.list().page();
  assert.ok(performance.now() - started >= 990);
  assert.equal(requests.length, 2);

  const patient = await scripted(
    t,
    [refused(429, 'rate_limit_error', 'too_many_requests', { 'retry-after': '90' })],
    { longestWaitMs: 1_000 },
  );
  await assert.rejects(patient.client.accounts.list().page(), (error) => {
    assert.ok(error instanceof RateLimitError);
    assert.equal(error.retryAfterMs, 90_000);
    return true;
  });
  assert.equal(patient.requests.length, 1);
});

test('what cannot succeed is not sent again, and nothing is more often than retries allow', async (t) => {
  const bad = await scripted(t, [refused(400, 'invalid_request_error', 'parameter_invalid')]);
  await assert.rejects(bad.client.accounts.get({ id: 'acct_x' }), InvalidRequestError);
  assert.equal(bad.requests.length, 1);
  const down = await scripted(t, [json(500, {})], { retries: 1 });
  await assert.rejects(down.client.accounts.get({ id: 'acct_x' }), ServiceFailure);
  assert.equal(down.requests.length, 2);
  await assert.rejects(down.client.accounts.get({ id: 'acct_x' }, { retries: 0 }), ServiceFailure);
  assert.equal(down.requests.length, 3);
});

test('each type of failure is a class of its own with what the service says', async (t) => {
  const classes = new Map<string, typeof ApiError>([
    ['invalid_request_error', InvalidRequestError],
    ['authentication_error', AuthenticationError],
    ['permission_error', PermissionError],
    ['rate_limit_error', RateLimitError],
    ['idempotency_error', IdempotencyError],
    ['upstream_error', UpstreamError],
    ['api_error', ServiceFailure],
  ]);
  for (const [code, { status, type }] of Object.entries(ERROR_CODES)) {
    const { client } = await scripted(t, [refused(status, type, code)], { retries: 0 });
    await assert.rejects(client.me.get(), (error) => {
      assert.ok(error instanceof (classes.get(type) ?? assert.fail(type)));
      assert.ok(error instanceof ApiError && error instanceof TributaryError);
      const { message, param, docUrl, requestId } = error;
      assert.deepEqual(
        { status: error.status, type: error.type, code: error.code, message, param, docUrl, requestId },
        {
          status,
          type,
          code,
          message: `because ${code}`,
          param: 'name',
          docUrl: 'https://x/docs#a',
          requestId: 'req_1',
        },
      );
      return true;
    });
  }
});

test('an answer of a proxy in between, and no answer, are errors that say so', async (t) => {
  const html: Answer = (_, response) => response.writeHead(502).end('<h1>Bad gateway</h1>');
  const { client } = await scripted(t, [html], { retries: 0 });
  await assert.rejects(client.me.get(), (error) => error instanceof ServiceFailure && error.code === null);
  const silent = await scripted(t, [() => undefined], { retries: 0, timeoutMs: 50 });
  await assert.rejects(silent.client.me.get(), UnreachableError);
  const slow = await scripted(t, [() => undefined], { retries: 0 });
  await assert.rejects(slow.client.me.get({ timeoutMs: 50 }), UnreachableError);
  const half: Answer = (_, response) => response.writeHead(200).write('{"id":');
  const cut = await scripted(t, [half], { retries: 0, timeoutMs: 50 });
  await assert.rejects(cut.client.me.get(), UnreachableError);
});

test('a redirect is not followed, so the key goes to one origin only', async (t) => {
  const elsewhere = await scripted(t, [json(200, {})]);
  const to: Answer = (_, response) => response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end();
  const { client } = await scripted(t, [to], { retries: 0 });
  await assert.rejects(client.me.get(), (error) => error instanceof ApiError && error.status === 307);
  assert.equal(elsewhere.requests.length, 0);
});

test('an aborted signal ends a request and the wait before the next attempt', async (t) => {
  const { client, requests } = await scripted(t, [json(503, {}, { 'retry-after': '30' })]);
  const stop = new AbortController();
  const asked = client.me.get({ signal: stop.signal });
  while (requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  stop.abort();
  await assert.rejects(asked, { name: 'AbortError' });
  assert.equal(requests.length, 1);
});

test('an empty id is refused before it becomes the address of another operation', async (t) => {
  const { client, requests } = await scripted(t, [json(200, {})]);
  await assert.rejects(client.destinations.delete({ id: '' }), TypeError);
  await client.destinations.get({ id: '../me' });
  assert.deepEqual(
    requests.map(({ url }) => url),
    ['/v2/destinations/..%2Fme'],
  );
});

test('a list is read page by page, filters are sent, and truncation is said', async (t) => {
  const next = 'https://elsewhere.example/v2/transactions?account=acct_1&limit=2&page=tok';
  const { client, requests } = await scripted(t, [
    json(200, { ...LIST, data: [{ id: 'a' }, { id: 'b' }], next_page_url: next }),
    json(200, { ...LIST, data: [{ id: 'c' }] }, { 'x-service-truncated': 'true' }),
  ]);
  const list = client.transactions.list({ account: 'acct_1', limit: 2, include_pending: true });
  const ids: string[] = [];
  for await (const { id } of list) ids.push(id);
  assert.deepEqual(ids, ['a', 'b', 'c']);
  assert.deepEqual(
    requests.map(({ url }) => url),
    [
      '/v2/transactions?limit=2&account=acct_1&include_pending=true',
      '/v2/transactions?limit=2&page=tok&account=acct_1&include_pending=true',
    ],
  );
  assert.equal((await list.page()).truncated, true);
});

test('a parameter that takes several values is sent once for each', async (t) => {
  const { client, requests } = await scripted(t, [json(200, LIST)]);
  await client.syncs.listRuns({ id: 'sync_1', status: ['failed', 'cancelled'] }).all();
  assert.equal(requests[0]?.url, '/v2/syncs/sync_1/runs?status%5B%5D=failed&status%5B%5D=cancelled');
});

test('an export that is cut off, or ends in a failure, is never taken for the whole', async (t) => {
  const rows = async (answer: Answer) => {
    const { client } = await scripted(t, [answer]);
    const response = await client.transactions.export({ account: ['acct_1'], format: 'jsonl' });
    const read: unknown[] = [];
    for await (const row of jsonLines(response)) read.push(row);
    return read;
  };
  assert.deepEqual(await rows((_, response) => response.end('{"id":"a"}\n{"id":"é"}\n')), [
    { id: 'a' },
    { id: 'é' },
  ]);
  await assert.rejects(
    rows((_, response) => response.end('{"id":"a"}\n{"error":{"message":"The bank did not answer."}}\n')),
    (error) => error instanceof UpstreamError && error.message === 'The bank did not answer.',
  );
  await assert.rejects(
    rows((_, response) => response.end('{"id":"a"}\n{"id":')),
    UnreachableError,
  );
  await assert.rejects(
    rows((request, response) => {
      response.write('{"id":"a"}\n', () => request.socket.destroy());
    }),
    UnreachableError,
  );
});

test('a line without an end is refused before it fills the memory', async (t) => {
  const { client } = await scripted(t, [
    (_, response) => {
      const piece = 'x'.repeat(1024 * 1024);
      const more = () => {
        while (!response.destroyed && response.write(piece));
        response.once('drain', more);
      };
      more();
    },
  ]);
  const response = await client.transactions.export({ account: ['acct_1'], format: 'jsonl' });
  await assert.rejects(async () => {
    for await (const row of jsonLines(response)) assert.fail(String(row));
  }, /A line is longer than/);
});

test('events are read as they arrive, wherever the stream is cut into pieces', async (t) => {
  const text =
    ': hello\n\nid: evt_1\nevent: sync_run.failed\ndata: {"a":\ndata: 1}\n\nretry: 5\n\ndata:2\n\n';
  const { client } = await scripted(t, [
    async (_, response) => {
      for (const piece of text) {
        response.write(piece);
        await new Promise((resolve) => setImmediate(resolve));
      }
      response.end();
    },
  ]);
  const events: unknown[] = [];
  for await (const event of serverSentEvents(await client.events.stream())) events.push(event);
  assert.deepEqual(events, [
    { id: 'evt_1', data: '{"a":\n1}' },
    { id: 'evt_1', data: '2' },
  ]);
});

test('a write is done once at the service, however often its answer is lost', async (t) => {
  const service = await commonService();
  t.after(() => service.close());
  const { key, v2 } = await service.owner();
  let lost = 0;
  const client = new Tributary({
    url: service.url,
    apiKey: key,
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      if (lost++ < 2) throw new TypeError('the connection was reset');
      return response;
    },
  });
  const made = await client.rulesets.create({ name: 'Once' });
  const { body } = await v2('GET', '/v2/rulesets');
  assert.deepEqual(
    body.data.map(({ id }: { id: string }) => id),
    [made.id],
  );
});
