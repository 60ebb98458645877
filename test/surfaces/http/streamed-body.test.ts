import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import Fastify from 'fastify';
import { sendStreamed } from '../../../src/surfaces/http/streamed-body.ts';

const PIECE = 'x'.repeat(1024 * 1024);
const PIECES = 60;

const server = Fastify({ forceCloseConnections: true });
let pulled = 0;
let ended = 0;
let stallMs = 60_000;
let failsAt = Number.POSITIVE_INFINITY;
let outcome: Promise<unknown> = Promise.resolve();

async function* pieces() {
  try {
    for (; pulled < PIECES; pulled++) {
      if (pulled === failsAt) throw new Error('the source failed');
      yield PIECE;
    }
  } finally {
    ended += 1;
  }
}

server.get('/long', async (_request, reply) => {
  [pulled, ended] = [0, 0];
  const rest = pieces();
  outcome = sendStreamed(reply, { first: await rest.next(), rest, stallMs });
  await outcome;
  return reply;
});

let port = 0;
before(async () => {
  port = Number(new URL(await server.listen({ host: '127.0.0.1', port: 0 })).port);
});
after(() => server.close());

function opened(version = '1.1'): Promise<Socket> {
  [pulled, ended] = [0, 0];
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`GET /long HTTP/${version}\r\nHost: x\r\nConnection: close\r\n\r\n`);
      resolve(socket);
    });
    socket.on('error', () => undefined);
  });
}

async function until(holds: () => boolean): Promise<void> {
  const end = Date.now() + 60_000;
  while (!holds()) {
    assert.ok(Date.now() < end, 'it did not come about within a minute');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Waits until nothing more is pulled. */
async function settled(): Promise<number> {
  let before = -1;
  await until(() => pulled > 0);
  while (before !== pulled) {
    before = pulled;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  return before;
}

describe('a streamed body', () => {
  test('of any length arrives whole', async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/long`);
    assert.equal((await answer.arrayBuffer()).byteLength, PIECES * PIECE.length);
    assert.deepEqual([await outcome, ended], [null, 1]);
  });

  test('is made no faster than its caller takes it', { timeout: 600_000 }, async () => {
    const socket = await opened();
    socket.pause();
    const held = await settled();
    assert.ok(held < PIECES / 2, `${held} pieces were made for a caller who reads nothing`);
    socket.resume();
    await new Promise((resolve) => socket.once('close', resolve));
    assert.deepEqual([pulled, await outcome], [PIECES, null]);
  });

  test('stops being made when its caller leaves', { timeout: 600_000 }, async () => {
    const socket = await opened();
    socket.pause();
    await settled();
    socket.destroy();
    assert.ok((await outcome) instanceof Error);
    assert.ok(pulled < PIECES);
    assert.equal(ended, 1);
  });

  test('is aborted when its caller takes nothing for too long', { timeout: 600_000 }, async () => {
    stallMs = 300;
    const socket = await opened();
    socket.pause();
    await until(() => ended === 1);
    assert.match(String(await outcome), /takes nothing/);
    socket.destroy();
    stallMs = 60_000;
  });

  for (const version of ['1.1', '1.0']) {
    test(`that is cut off in HTTP/${version} shows what there was and never ends in order`, async () => {
      failsAt = 3;
      const socket = await opened(version);
      let failed = false;
      let bytes = 0;
      let tail = '';
      socket.on('error', () => {
        failed = true;
      });
      socket.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        tail = chunk.subarray(-5).toString('latin1');
      });
      await new Promise((resolve) => socket.once('close', resolve));
      failsAt = Number.POSITIVE_INFINITY;
      assert.match(String(await outcome), /the source failed/);
      if (version === '1.1') assert.ok(bytes >= 3 * PIECE.length && tail !== '0\r\n\r\n');
      else assert.ok(failed, 'a reset tells the caller');
    });
  }
});
