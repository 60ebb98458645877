import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { withTimeout } from '../../src/platform/with-timeout.ts';
import { withPatience } from '../support/patience.ts';

/** A server that answers even while this thread's event loop is blocked. */
const SERVER = `
const { createServer } = require('node:net');
const { parentPort } = require('node:worker_threads');
const server = createServer((socket) => socket.on('data', (chunk) => socket.write(chunk)));
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`;

let worker: Worker;
let socket: Socket;
before(async () => {
  worker = new Worker(SERVER, { eval: true });
  const [port] = await once(worker, 'message');
  socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'connect');
});
after(async () => {
  socket.destroy();
  await worker.terminate();
});

async function ask(text: string): Promise<string> {
  const answer = once(socket, 'data');
  socket.write(text);
  const [chunk] = await answer;
  return String(chunk);
}

function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test('an answer that came in time counts, though the event loop was blocked until after the deadline', async () => {
  await withPatience([400, 5_000], async (ms) => {
    const answer = withTimeout(ask('question'), ms / 4);
    block(ms);
    assert.equal(await answer, 'question');
  });
});

test('a server that says nothing is not waited for, and one that refuses is reported at once', async () => {
  await assert.rejects(withTimeout(new Promise(() => undefined), 20), /no answer within 20 ms/);
  await assert.rejects(withTimeout(Promise.reject(new Error('refused')), 600_000), /refused/);
});
