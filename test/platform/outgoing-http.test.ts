import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OutgoingFailure } from '../../src/platform/outgoing-failure.ts';
import { eventually } from '../support/patience.ts';
import { httpServer, outgoing } from './loopback-server.ts';

test('a call carries method, path, query, headers and body, and returns the whole answer', async (t) => {
  const seen: unknown[] = [];
  const port = await httpServer(t, async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    seen.push(request.method, request.url, request.headers['x-a'], request.headers.accept, body);
    response.writeHead(201, { 'content-type': 'application/json', 'set-cookie': ['a=1', 'b=2'] });
    response.end(JSON.stringify({ ok: true }));
  });
  const answer = await outgoing(t).request({
    method: 'POST',
    url: `http://127.0.0.1:${port}/a%20b?c=d&e=f`,
    headers: { 'x-a': '1' },
    body: '{"é":1}',
    expect: 'json',
  });
  assert.deepEqual(seen, ['POST', '/a%20b?c=d&e=f', '1', 'application/json', '{"é":1}']);
  assert.equal(answer.status, 201);
  assert.ok(answer.ok);
  assert.deepEqual(answer.json(), { ok: true });
  assert.equal(answer.header('Content-Type'), 'application/json');
  assert.equal(answer.header('set-cookie'), 'a=1');
});

test('cookies are not stored and sockets are reused: calls one after the other share them', async (t) => {
  const sockets = new Set<unknown>();
  const cookies: unknown[] = [];
  const port = await httpServer(t, (request, response) => {
    sockets.add(request.socket);
    cookies.push(request.headers.cookie);
    response.writeHead(200, { 'set-cookie': 'a=1' }).end('x');
  });
  const http = outgoing(t);
  for (let turn = 0; turn < 20; turn += 1)
    await http.request({ method: 'GET', url: `http://127.0.0.1:${port}/` });
  // Undici holds a socket back for one turn of the event loop after each answer, so two take turns.
  assert.ok(sockets.size <= 2, `${sockets.size} sockets`);
  assert.deepEqual(new Set(cookies), new Set([undefined]));
});

test('a redirect is an answer, not followed', async (t) => {
  let innerCalls = 0;
  const inner = await httpServer(t, (_request, response) => {
    innerCalls += 1;
    response.end();
  });
  const port = await httpServer(t, (_request, response) => {
    response.writeHead(307, { location: `http://127.0.0.1:${inner}/` }).end();
  });
  const answer = await outgoing(t).request({ method: 'POST', url: `http://127.0.0.1:${port}/`, body: 'x' });
  assert.equal(answer.status, 307);
  assert.equal(innerCalls, 0);
});

test('a proxy named in the environment is not used', async (t) => {
  const port = await httpServer(t, (_request, response) => response.end('direct'));
  const before = { ...process.env };
  t.after(() => {
    process.env = before;
  });
  for (const name of ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY']) process.env[name] = 'http://127.0.0.1:9';
  process.env.NODE_USE_ENV_PROXY = '1';
  const answer = await outgoing(t).request({ method: 'GET', url: `http://127.0.0.1:${port}/` });
  assert.equal(answer.text(), 'direct');
});

test('an answer that is not JSON is a protocol failure only when JSON is asked of it', async (t) => {
  const port = await httpServer(t, (_request, response) =>
    response.writeHead(502).end('<html>secret 12345678'),
  );
  const answer = await outgoing(t).request({
    method: 'GET',
    url: `http://127.0.0.1:${port}/`,
    expect: 'json',
  });
  assert.equal(answer.status, 502);
  assert.throws(
    () => answer.json(),
    (error: Error) =>
      error instanceof OutgoingFailure && error.kind === 'protocol' && !error.message.includes('12345678'),
  );
});

test('calls run side by side, up to the sockets of their origin, and all arrive', async (t) => {
  let running = 0;
  let most = 0;
  const port = await httpServer(t, async (request, response) => {
    running += 1;
    most = Math.max(most, running);
    // None is answered before all four sockets are in use.
    await eventually(() => most >= 4);
    await new Promise((resolve) => setTimeout(resolve, 5));
    running -= 1;
    response.end(request.url);
  });
  const http = outgoing(t, { connectionsPerOrigin: 4 });
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      http.request({ method: 'GET', url: `http://127.0.0.1:${port}/${index}` }),
    ),
  );
  assert.deepEqual(
    answers.map((answer) => answer.text()),
    Array.from({ length: 40 }, (_, index) => `/${index}`),
  );
  assert.equal(most, 4);
});

test('failures say whether the request can have reached the peer, and hold no path, query or credential', async (t) => {
  const http = outgoing(t);
  const port = await httpServer(t, (request) => request.socket.destroy());
  const secret = 'T0PSECRET';
  const kinds = [
    { url: `http://127.0.0.1:${port}/${secret}?token=${secret}`, kind: 'reset', sent: true },
    { url: `http://127.0.0.1:1/${secret}?token=${secret}`, kind: 'connect', sent: false },
    { url: `http://u:${secret}@127.0.0.1:${port}/`, kind: 'refused_address', sent: false },
    { url: `nonsense ${secret}`, kind: 'protocol', sent: false },
    { url: `ftp://127.0.0.1/${secret}`, kind: 'refused_address', sent: false },
    { url: `https://127.0.0.1:${port}/${secret}`, kind: /^(tls|connect|reset)$/, sent: false },
  ];
  for (const { url, kind, sent } of kinds) {
    await assert.rejects(http.request({ method: 'POST', url, body: secret }), (error: Error) => {
      assert.ok(error instanceof OutgoingFailure, String(error));
      if (kind instanceof RegExp) assert.match(error.kind, kind);
      else assert.equal(error.kind, kind);
      assert.equal(error.sent, sent, url);
      assert.ok(!`${error.stack}`.includes(secret), error.stack);
      return true;
    });
  }
});

test('a header that cannot be sent is a failure and nothing leaves', async (t) => {
  let calls = 0;
  const port = await httpServer(t, (_request, response) => {
    calls += 1;
    response.end();
  });
  const url = `http://127.0.0.1:${port}/`;
  const failure = { name: 'OutgoingFailure', kind: 'protocol', sent: false };
  await assert.rejects(
    outgoing(t).request({ method: 'GET', url, headers: { 'x-a': 'a\r\nx-b: c' } }),
    failure,
  );
  assert.equal(calls, 0);
});

test('an aborted call ends at once, before, during and while waiting for a socket', async (t) => {
  let arrived = 0;
  const port = await httpServer(t, () => {
    arrived += 1;
  });
  const url = `http://127.0.0.1:${port}/`;
  const http = outgoing(t, { connectionsPerOrigin: 1 });
  await assert.rejects(http.request({ method: 'GET', url, signal: AbortSignal.abort() }), {
    kind: 'aborted',
    sent: false,
  });
  const [first, second] = [new AbortController(), new AbortController()];
  const running = http.request({ method: 'GET', url, signal: first.signal });
  const waiting = http.request({ method: 'GET', url, signal: second.signal });
  await eventually(() => arrived === 1);
  second.abort();
  await assert.rejects(waiting, { kind: 'aborted', sent: false });
  first.abort();
  await assert.rejects(running, { kind: 'aborted', sent: true });
});

test('closing waits for calls in flight, and not for the connection that an aborted call was waiting for', async (t) => {
  const stopping = new AbortController();
  let asked = 0;
  const http = outgoing(t, {
    connectMs: 120_000,
    trustedOrigins: ['http://silent.example'],
    lookup: () => {
      asked += 1;
    },
  });
  const calls = [true, false].map((trusted) =>
    http.request({ method: 'GET', url: 'http://silent.example/', trusted, signal: stopping.signal }),
  );
  await eventually(() => asked === 2, 'both connections');
  let isClosed = false;
  const closing = http.close().then(() => {
    isClosed = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(isClosed, false);
  stopping.abort();
  for (const call of calls)
    await assert.rejects(call, (error) => error instanceof OutgoingFailure && error.kind === 'aborted');
  await Promise.race([
    closing,
    new Promise((_resolve, reject) => setTimeout(reject, 20_000, new Error('it waits to connect')).unref()),
  ]);
  await assert.rejects(http.request({ method: 'GET', url: 'http://silent.example/' }), OutgoingFailure);
});
