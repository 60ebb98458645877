import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import { OutgoingFailure } from '../../src/platform/outgoing-failure.ts';
import { withPatience } from '../support/patience.ts';
import { httpServer, outgoing, rawServer } from './loopback-server.ts';

const OK = 'HTTP/1.1 200 OK\r\n';

function drip(socket: Socket, text: string, everyMs = 10): void {
  const timer = setInterval(() => socket.write(text), everyMs);
  socket.on('close', () => clearInterval(timer));
}

function flood(socket: Socket, text: string): void {
  const block = text.repeat(1_000);
  const pump = () => {
    while (!socket.destroyed && socket.write(block));
  };
  socket.on('drain', pump);
  pump();
}

const HOSTILE: Record<string, { answer: (socket: Socket) => void; kind: RegExp }> = {
  silence: { answer: () => {}, kind: /^timeout$/ },
  'endless headers': {
    answer: (socket) => {
      socket.write(OK);
      flood(socket, 'x-a: b\r\n');
    },
    kind: /^too_large$/,
  },
  'one endless header': {
    answer: (socket) => {
      socket.write(`${OK}x-a: `);
      flood(socket, 'a');
    },
    kind: /^too_large$/,
  },
  'drip-fed headers': {
    answer: (socket) => {
      socket.write(OK);
      drip(socket, 'a');
    },
    kind: /^timeout$/,
  },
  'endless early hints': {
    answer: (socket) => drip(socket, 'HTTP/1.1 103 Early\r\n\r\n'),
    kind: /^timeout$/,
  },
  'drip-fed body': {
    answer: (socket) => {
      socket.write(`${OK}content-length: 9999\r\n\r\n`);
      drip(socket, 'a');
    },
    kind: /^timeout$/,
  },
  'endless chunks': {
    answer: (socket) => {
      socket.write(`${OK}transfer-encoding: chunked\r\n\r\n`);
      flood(socket, '4\r\nabcd\r\n');
    },
    kind: /^too_large$/,
  },
  'endless body without a length': {
    answer: (socket) => {
      socket.write(`${OK}\r\n`);
      flood(socket, 'a');
    },
    kind: /^too_large$/,
  },
  'announced too large': {
    answer: (socket) => void socket.write(`${OK}content-length: 99999999\r\n\r\n`),
    kind: /^too_large$/,
  },
  'cut short': {
    answer: (socket) => void socket.end(`${OK}content-length: 10\r\n\r\nabc`),
    kind: /^(reset|protocol)$/,
  },
  'closed without a word': { answer: (socket) => void socket.end(), kind: /^reset$/ },
  reset: { answer: (socket) => void socket.resetAndDestroy(), kind: /^reset$/ },
  garbage: { answer: (socket) => void socket.end('\0\x01\x02 not http at all\r\n\r\n'), kind: /^protocol$/ },
  'bad chunk': {
    answer: (socket) => void socket.end(`${OK}transfer-encoding: chunked\r\n\r\nzz\r\n`),
    kind: /^protocol$/,
  },
  'two lengths': {
    answer: (socket) => void socket.end(`${OK}content-length: 1\r\ncontent-length: 2\r\n\r\nab`),
    kind: /^protocol$/,
  },
  upgrade: {
    answer: (socket) =>
      void socket.write('HTTP/1.1 101 Switching\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n'),
    kind: /^(protocol|reset)$/,
  },
  compressed: {
    answer: (socket) => void socket.write(`${OK}content-encoding: gzip\r\ncontent-length: 3\r\n\r\nabc`),
    kind: /^protocol$/,
  },
};

for (const [name, { answer, kind }] of Object.entries(HOSTILE)) {
  test(`a server that answers with ${name} ends as a failure within the deadline`, async (t) => {
    const port = await rawServer(t, answer);
    // A busy machine may need seconds for what is refused at once: only what never ends waits for a short deadline.
    const deadlinesMs = kind.test('timeout') ? [150, 2_000, 10_000] : [20_000];
    const http = outgoing(t);
    await withPatience(deadlinesMs, async (deadlineMs) => {
      const started = performance.now();
      const call = http.request({
        method: 'POST',
        url: `http://127.0.0.1:${port}/`,
        body: 'x',
        deadlineMs,
        maxResponseBytes: 100_000,
      });
      await assert.rejects(call, (error: Error) => {
        assert.ok(error instanceof OutgoingFailure, String(error));
        assert.match(error.kind, kind);
        assert.equal(error.sent, true);
        return true;
      });
      assert.ok(performance.now() - started < deadlineMs + 10_000);
    });
  });
}

test('arbitrary bytes from a server end as an answer or a failure, never otherwise', async (t) => {
  let reply = Buffer.alloc(0);
  const port = await rawServer(t, (socket) => void socket.end(reply));
  const http = outgoing(t);
  const status = fc.constantFrom(
    '',
    OK,
    'HTTP/1.1 204 x\r\n',
    'HTTP/1.1 999 x\r\n',
    'HTTP/1.0 200\r\n',
    'HTTP/2 200\r\n',
  );
  await fc.assert(
    fc.asyncProperty(
      status,
      fc.string({ unit: fc.constantFrom('a', ':', '\r\n', ' ', '1', '\0') }),
      async (line, rest) => {
        reply = Buffer.from(line + rest);
        const call = http.request({ method: 'GET', url: `http://127.0.0.1:${port}/`, deadlineMs: 2_000 });
        await call.catch((error: unknown) => assert.ok(error instanceof OutgoingFailure, String(error)));
      },
    ),
    { numRuns: 60 },
  );
});

test('a discarded answer is read up to the cap, then dropped, and counts as an answer', async (t) => {
  const port = await rawServer(t, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n');
    flood(socket, 'a');
  });
  const url = `http://127.0.0.1:${port}/`;
  const answer = await outgoing(t).request({ method: 'POST', url, body: 'x', expect: 'discard' });
  assert.equal(answer.status, 200);
  assert.equal(answer.body.length, 64 * 1024);
});

test('a body of exactly the cap passes and one byte more does not', async (t) => {
  const port = await httpServer(t, (request, response) =>
    response.end('a'.repeat(Number(request.url?.slice(1)))),
  );
  const http = outgoing(t);
  const ask = (size: number) =>
    http.request({ method: 'GET', url: `http://127.0.0.1:${port}/${size}`, maxResponseBytes: 1_000 });
  assert.equal((await ask(1_000)).body.length, 1_000);
  await assert.rejects(ask(1_001), { kind: 'too_large', sent: true });
  assert.equal((await ask(0)).body.length, 0);
});

test('a call whose deadline passes while it waits for a socket is never sent', async (t) => {
  const seen: unknown[] = [];
  const answered = Promise.withResolvers<void>();
  const port = await httpServer(t, async (request, response) => {
    seen.push(request.url);
    await answered.promise;
    response.end();
  });
  const http = outgoing(t, { connectionsPerOrigin: 1 });
  const first = http.request({ method: 'GET', url: `http://127.0.0.1:${port}/first` });
  const late = http.request({
    method: 'POST',
    url: `http://127.0.0.1:${port}/late`,
    body: 'x',
    deadlineMs: 20,
  });
  await assert.rejects(late, { kind: 'timeout', sent: false });
  answered.resolve();
  await first;
  await http.request({ method: 'GET', url: `http://127.0.0.1:${port}/after` });
  assert.deepEqual(seen, ['/first', '/after']);
});
