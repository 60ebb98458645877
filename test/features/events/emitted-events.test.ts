import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { sandboxBank } from '../../support/sandbox-bank.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';
import {
  consentAtBank,
  importedConnection,
  linkBank,
  openCallback,
  RETURN_URL,
  until,
} from '../linking/person.ts';

const emitted: string[] = [];
const receiver = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(200).end());
});
let service: TestService;
let owner: TestOwner;

before(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  service = await startService({}, { events: async (_trx, _owner, kind) => void emitted.push(kind) });
  owner = await service.owner();
});
after(async () => {
  await service.close();
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
});

/** Kinds emitted since the last call, sorted: what several processes of a service do interleaves. */
const since = (): string[] => emitted.splice(0).toSorted();

async function syncOf(account: string): Promise<Json> {
  const address = receiver.address();
  assert.ok(typeof address === 'object' && address !== null);
  const target = { url: `http://127.0.0.1:${address.port}/${account}` };
  const destination = await owner.v2('POST', '/v2/destinations', { type: 'webhook', name: 'books', target });
  const sync = await owner.v2('POST', '/v2/syncs', {
    type: 'transactions',
    name: 'books',
    destination: destination.body.id,
    accounts: [account],
    mapping_mode: 'bulk',
  });
  assert.equal(sync.status, 201, JSON.stringify(sync.body));
  return sync.body;
}

const ended = (run: string): Promise<Json> =>
  until(
    async () => (await owner.v2('GET', `/v2/sync_runs/${run}`)).body,
    ({ completed_at }) => completed_at !== null,
  );

test('the service as it is built emits events for linking, syncing, renewing, losing and deleting a connection', async () => {
  const connection = await importedConnection(owner, await linkBank(owner, { customer: 'sole-trader' }));
  assert.deepEqual(since(), ['connection.created', 'connection.refreshed']);

  const sync = await syncOf(connection.accounts[0].id);
  await ended(sync.latest_run.id);
  assert.deepEqual(since(), ['sync_run.queued', 'sync_run.started', 'sync_run.succeeded']);

  const renewal = await owner.v2('POST', `/v2/connections/${connection.id}/reauthorize`, {
    return_url: RETURN_URL,
  });
  await openCallback(await consentAtBank(renewal.body.url, { customer: 'sole-trader' }));
  const renewed = await until(
    async () => since(),
    (kinds) => kinds.includes('connection.renewed'),
  );
  assert.ok(!renewed.includes('connection.created'));

  const control = sandboxBank(service.app);
  const consent = control?.consents().findLast(({ active }) => active);
  assert.ok(control && consent);
  control.revokeConsent(consent.arrangementId);
  emitted.length = 0;
  const run = await owner.v2('POST', `/v2/syncs/${sync.id}/run`);
  assert.equal((await ended(run.body.id)).status, 'failed');
  assert.deepEqual((await owner.v2('GET', `/v2/syncs/${sync.id}`)).body.attention, {
    code: 'consent_expired',
  });
  assert.deepEqual(since(), [
    'connection.invalidated',
    'consent.withdrawn',
    'sync.attention',
    'sync_run.failed',
    'sync_run.queued',
    'sync_run.started',
  ]);

  assert.equal((await owner.v2('DELETE', `/v2/connections/${connection.id}`)).status, 200);
  assert.deepEqual(since(), ['connection.revoked', 'sync.attention']);
  assert.deepEqual((await owner.v2('GET', `/v2/syncs/${sync.id}`)).body.attention, {
    code: 'connection_lost',
  });
});

test('the service as it is built emits an event for a rotated key', async () => {
  const key = await owner.v2('POST', '/v2/api_keys', { name: 'old', scopes: ['data:read'] });
  emitted.length = 0;
  assert.equal((await owner.v2('POST', `/v2/api_keys/${key.body.id}/rotate`)).status, 201);
  assert.deepEqual(since(), ['api_key.expiring']);
});
