import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { startCsvFolder } from '../../../sandbox/csv-folder/server.ts';
import { scratchDirectory } from '../../support/scratch.ts';

async function listening(port: number) {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  return { port: address.port, close: () => new Promise((resolve) => server.close(resolve)) };
}

test('a simulator whose second port is taken leaves the first one free', async (t) => {
  const taken = await listening(0);
  t.after(() => taken.close());
  const free = await listening(0);
  await free.close();
  const ports = { vendor: free.port, control: taken.port };
  await assert.rejects(startCsvFolder({ root: await scratchDirectory(), ports }), { code: 'EADDRINUSE' });
  await (await listening(free.port)).close();
});
