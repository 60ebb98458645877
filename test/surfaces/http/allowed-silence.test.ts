import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { allowSilence } from '../../../src/surfaces/http/allowed-silence.ts';
import { withPatience } from '../../support/patience.ts';

test('an operation that may take long keeps its connection, and the next request has the usual time', () =>
  withPatience([100, 4000], async (silenceMs) => {
    const server = Fastify({ connectionTimeout: silenceMs });
    const wait = () => new Promise((resolve) => setTimeout(resolve, 6 * Math.min(silenceMs, 1000)));
    let left: number | null = null;
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
    try {
      const url = await server.listen({ host: '127.0.0.1', port: 0 });
      const patient = await fetch(`${url}/patient`);
      assert.equal(await patient.text(), 'answered');
      assert.equal(left, silenceMs);
      await assert.rejects(fetch(`${url}/usual`));
    } finally {
      await server.close();
    }
  }));
