import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import Fastify from 'fastify';
import { allowSilence } from '../../../src/surfaces/http/allowed-silence.ts';

const SILENCE_MS = 100;
const server = Fastify({ connectionTimeout: SILENCE_MS });
const wait = () => new Promise((resolve) => setTimeout(resolve, 6 * SILENCE_MS));
server.get('/patient', async (request, reply) => {
  allowSilence(reply, 60_000);
  reply.raw.once('close', () => {
    left = request.raw.socket.timeout ?? null;
  });
  await wait();
  return 'answered';
});
server.get('/usual', async () => {
  await wait();
  return 'answered';
});
let left: number | null = null;
after(() => server.close());

test('an operation that may take long keeps its connection, and the next request has the usual time', async () => {
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  const patient = await fetch(`${url}/patient`);
  assert.equal(await patient.text(), 'answered');
  assert.equal(left, SILENCE_MS);
  await assert.rejects(fetch(`${url}/usual`));
});
