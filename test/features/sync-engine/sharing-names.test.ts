import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type NameServer, openNameServer } from '../../support/name-server.ts';
import { leastMs } from '../../support/patience.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import { importedConnection, linkBank, until } from '../linking/person.ts';
import { Receiver } from './support/receiver.ts';

let service: TestService;
let names: NameServer;
const receiver = new Receiver();

before(async () => {
  names = await openNameServer();
  await receiver.open();
  service = await startService({ OUTBOUND_DNS: names.address });
});
after(async () => {
  await service.close();
  await receiver.close();
  names.close();
});

async function accountOf(owner: TestOwner): Promise<string> {
  const connection = await importedConnection(owner, await linkBank(owner, { customer: 'sole-trader' }));
  return connection.accounts[0].id;
}

/** The first run of a new sync to the address. */
async function startRun(owner: TestOwner, account: string, url: string): Promise<string> {
  const made = await owner.v2('POST', '/v2/destinations', { type: 'webhook', name: 'R', target: { url } });
  const sync = await owner.v2('POST', '/v2/syncs', {
    type: 'transactions',
    name: 'All',
    destination: made.body.id,
    accounts: [account],
    mapping_mode: 'bulk',
    run_now: true,
  });
  assert.equal(sync.status, 201, JSON.stringify(sync.body));
  const runs = await owner.v2('GET', `/v2/syncs/${sync.body.id}/runs`);
  return runs.body.data[0].id;
}

test('webhooks of one owner whose names no one answers for do not hold up the delivery of another', async () => {
  const greedy = await service.owner();
  const other = await service.owner();
  const account = await accountOf(greedy);
  const theirs = await accountOf(other);
  for (let index = 0; index < 8; index++) {
    await startRun(greedy, account, `http://n${index}.dead.test:9/hook`);
  }
  await until(
    async () => names.asked.length,
    (count) => count > 0,
  );
  const took = await leastMs(5000, async () => {
    const run = await startRun(other, theirs, receiver.url.replace('127.0.0.1', 'hook.alive.test'));
    await until(
      async () => (await other.v2('GET', `/v2/sync_runs/${run}`)).body.status,
      (status) => status === 'succeeded',
    );
  });
  assert.ok(took < 5000, `it took ${Math.round(took)} ms`);
  assert.ok(receiver.rows().size > 0);
});
