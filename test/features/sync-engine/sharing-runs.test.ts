import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';
import { importedConnection, linkBank, until } from '../linking/person.ts';
import { Receiver } from './support/receiver.ts';

let service: TestService;
const slow = new Receiver();
const quick = new Receiver();
const over = Promise.withResolvers<void>();

before(async () => {
  service = await startService({
    LIMIT_RUNS_AT_ONCE: '4',
    LIMIT_RATE_MUTATING: '1000',
  });
  await slow.open();
  await quick.open();
  slow.beforeAnswer = () => over.promise;
});
after(async () => {
  over.resolve();
  await slow.close();
  await service.close();
  await quick.close();
});

async function accountOf(owner: TestOwner, customer: string): Promise<string> {
  const connection = await importedConnection(owner, await linkBank(owner, { customer }));
  return connection.accounts[0].id;
}

async function startSync(owner: TestOwner, account: string, url: string): Promise<Json> {
  const destination = await owner.v2('POST', '/v2/destinations', {
    type: 'webhook',
    name: 'R',
    target: { url },
  });
  const sync = await owner.v2('POST', '/v2/syncs', {
    type: 'transactions',
    name: 'All',
    destination: destination.body.id,
    accounts: [account],
    mapping_mode: 'bulk',
    run_now: true,
  });
  assert.equal(sync.status, 201, JSON.stringify(sync.body));
  return sync.body;
}

const runsOf = async (owner: TestOwner, sync: string): Promise<Json[]> =>
  (await owner.v2('GET', `/v2/syncs/${sync}/runs`)).body.data;

describe('runs, shared out by account record', () => {
  test('24 syncs of one owner to receivers that do not answer do not keep the run of another waiting [limit runs_at_once]', async () => {
    const greedy = await service.owner();
    const other = await service.owner();
    const account = await accountOf(greedy, 'salaried-household');
    const theirs = await accountOf(other, 'sole-trader');
    const syncs: string[] = [];
    for (let index = 0; index < 24; index++) {
      syncs.push((await startSync(greedy, account, `${slow.url}/${index}`)).id);
    }
    await until(
      async () => slow.requests.length,
      (count) => count >= 2,
    );
    const sync = await startSync(other, theirs, quick.url);
    const run = await until(
      async () => (await runsOf(other, sync.id))[0],
      (one) => one.status !== 'queued',
    );
    await until(
      async () => (await other.v2('GET', `/v2/sync_runs/${run.id}`)).body,
      ({ status }) => status === 'succeeded',
    );
    const statuses = await Promise.all(syncs.map(async (id) => (await runsOf(greedy, id))[0].status));
    assert.equal(
      statuses.filter((status) => status === 'running').length,
      2,
      'half of the four, and no more',
    );
  });
});
