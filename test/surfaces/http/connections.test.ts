import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { httpFrame } from '../../support/http-frame.ts';
import { eventually } from '../../support/patience.ts';
import { startService, type TestService } from '../../support/service.ts';

const MOST = 6;
let service: TestService;
before(async () => {
  service = await startService({ LIMIT_HTTP_CONNECTIONS: String(MOST) });
});
after(() => service.close());

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A connection whose own end stays open whatever the other side does. */
function opened(text: string, url = service.url): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect({
      port: Number(new URL(url).port),
      host: '127.0.0.1',
      allowHalfOpen: true,
    });
    socket.once('connect', () => socket.write(text, () => resolve(socket)));
    socket.on('error', () => socket.destroy());
  });
}

/** What has come by the time that the other side closes or `ms` are over. */
async function readFor(socket: Socket, ms: number): Promise<string> {
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  await new Promise<void>((resolve) => {
    const patience = setTimeout(resolve, ms);
    for (const event of ['end', 'close'])
      socket.once(event, () => {
        clearTimeout(patience);
        resolve();
      });
  });
  return text;
}

/** What has come by the time that it matches, or the other side closes. */
async function readUntil(socket: Socket, wanted: RegExp): Promise<string> {
  let text = '';
  let over = false;
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  for (const event of ['end', 'close'])
    socket.once(event, () => {
      over = true;
    });
  await eventually(() => over || wanted.test(text));
  return text;
}

/** Whether the other side has let go of the connection: what is sent to it is then refused. */
async function released(socket: Socket): Promise<boolean> {
  for (let tried = 0; tried < 600 && !socket.destroyed; tried++) {
    socket.write('x');
    await pause(100);
  }
  return socket.destroyed;
}

const OK = /^HTTP\/1\.1 200 /;
const ALIVE = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';

describe('a connection that was given up', () => {
  const cases: readonly (readonly [string, string, RegExp])[] = [
    ['what was sent is not HTTP', 'NOT HTTP AT ALL\r\n\r\n', /^HTTP\/1\.1 400 /],
    [
      'its headers are too large',
      `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(90_000)}\r\n\r\n`,
      /^HTTP\/1\.1 431 /,
    ],
  ];
  for (const [why, text, answer] of cases) {
    test(`is released after the answer although the caller never closes it: ${why}`, async (t) => {
      const { server: frame } = httpFrame(100);
      const url = await frame.listen({ host: '127.0.0.1', port: 0 });
      t.after(() => frame.close());
      const sockets = await Promise.all(Array.from({ length: 20 }, () => opened(text, url)));
      for (const found of await Promise.all(sockets.map((socket) => readFor(socket, 60_000)))) {
        assert.match(found, answer);
      }
      const held = () =>
        new Promise<number>((resolve) => frame.server.getConnections((_, count) => resolve(count)));
      await eventually(async () => (await held()) === 0, 'the release of all connections');
      for (const socket of sockets) socket.destroy();
    });
  }

  test('makes room for others', async () => {
    for (let round = 0; round < 3; round++) {
      const sockets = await Promise.all(
        Array.from({ length: MOST }, () => opened('NOT HTTP AT ALL\r\n\r\n')),
      );
      await Promise.all(sockets.map((socket) => readFor(socket, 60_000)));
      const tried: Socket[] = [];
      await eventually(async () => {
        const next = await opened(ALIVE);
        tried.push(next);
        return OK.test(await readUntil(next, OK));
      }, 'room');
      for (const socket of [...tried, ...sockets]) socket.destroy();
    }
  });
});

describe('connections that are open at once', () => {
  test('are as many as allowed; one more is closed as it arrives [limit http_connections]', async () => {
    const busy: Socket[] = [];
    for (let count = 0; count < MOST; count++)
      busy.push(await opened('GET /healthz HTTP/1.1\r\nHost: x\r\n'));
    await pause(100);
    const extra = await opened(ALIVE);
    assert.equal(await readFor(extra, 60_000), '');
    assert.ok(await released(extra));
    for (const socket of busy) socket.write('\r\n');
    for (const socket of busy) {
      assert.match(await readUntil(socket, OK), OK);
      socket.destroy();
    }
    await pause(100);
  });

  test('that are idle give way to who comes next', async () => {
    const idle: Socket[] = [];
    for (let count = 0; count < MOST; count++) {
      const socket = await opened(ALIVE);
      assert.match(await readUntil(socket, OK), OK);
      idle.push(socket);
    }
    const refused = await opened(ALIVE);
    await readUntil(refused, OK);
    const next = await opened(ALIVE);
    assert.match(await readUntil(next, OK), OK);
    for (const socket of [...idle, refused, next]) socket.destroy();
  });
});

test('a connection that sends nothing, or half of its headers, is closed within seconds', {
  timeout: 600_000,
}, async () => {
  const began = performance.now();
  const sockets = await Promise.all([opened(''), opened('GET /healthz HTTP/1.1\r\nHost:')]);
  await Promise.all(sockets.map((socket) => readFor(socket, 60_000)));
  assert.ok(performance.now() - began < 40_000, `${performance.now() - began} ms`);
  for (const socket of sockets) assert.ok(await released(socket));
});
