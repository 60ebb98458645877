import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { sandboxBank } from '../../support/sandbox-bank.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import { type Json, v2Client } from '../../support/v2-client.ts';
import { linkAll } from '../../surfaces/v1/support/linked.ts';
import { until } from '../linking/person.ts';
import { Receiver } from './support/receiver.ts';

const ROWS = 'GET /v1/banking/transactions';

let service: TestService;
const receiver = new Receiver();
before(async () => {
  service = await startService({
    LIMIT_RUNS_AT_ONCE: '4',
    LIMIT_PROVIDER_CALLS: '2',
    LIMIT_RUN_RETRY_SECONDS: '300',
  });
  await receiver.open();
});
after(async () => {
  bank().clearFaults();
  await service.close();
  await receiver.close();
});
afterEach(() => bank().clearFaults());

const bank = () => sandboxBank(service.app);
const goesAway = () => bank().addFault({ route: ROWS, kind: 'connection-reset', count: 1_000_000 });
const rowsAsked = () =>
  bank()
    .requests()
    .filter(({ path }) => path === ROWS.slice(4)).length;

async function startSync(owner: TestOwner, account: string | undefined): Promise<string> {
  receiver.beforeAnswer = async () => undefined;
  const destination = await owner.v2('POST', '/v2/destinations', {
    type: 'webhook',
    name: 'R',
    target: { url: `${receiver.url}/${crypto.randomUUID()}` },
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
  return sync.body.id;
}

const runOf = async (owner: TestOwner, sync: string): Promise<Json> =>
  (await owner.v2('GET', `/v2/syncs/${sync}/runs`)).body.data[0];
const statusOf = async (owner: TestOwner, sync: string): Promise<string> => (await runOf(owner, sync)).status;

describe('a run whose bank is unreachable for a moment', () => {
  test('waits and succeeds in its first attempt, while a person who reads is notified of the outage at once', async () => {
    const owner = await service.owner();
    const [account] = await linkAll(service, owner, [{ provider: 'au_banking', customer: 'sole-trader' }]);
    goesAway();
    const sync = await startSync(owner, account);
    const asked = rowsAsked();
    await until(
      async () => rowsAsked() - asked,
      (count) => count >= 3,
    );
    const read = await owner.v2('GET', `/v2/transactions?account=${account}`);
    assert.deepEqual([read.status, read.body.error?.code], [503, 'upstream_unavailable']);
    assert.equal(await statusOf(owner, sync), 'running');
    bank().clearFaults();
    await until(
      () => statusOf(owner, sync),
      (status) => status !== 'running',
    );
    const run = await runOf(owner, sync);
    assert.deepEqual([run.status, run.failure_code ?? null], ['succeeded', null]);
    assert.equal((await owner.v2('GET', `/v2/syncs/${sync}/runs`)).body.data.length, 1);
  });
});

test('many runs of one owner whose bank is away keep no one else waiting [limit run_retry_seconds]', async () => {
  const [greedy, other] = [await service.owner(), await service.owner()];
  const [account] = await linkAll(service, greedy, [{ provider: 'au_banking', customer: 'sole-trader' }]);
  const [theirs] = await linkAll(service, other, [
    { provider: 'nz_banking', customer: 'salaried-household' },
  ]);
  goesAway();
  const asked = rowsAsked();
  const syncs: string[] = [];
  for (let made = 0; made < 8; made++) syncs.push(await startSync(greedy, account));
  await until(
    async () => rowsAsked() - asked,
    (count) => count >= 4,
  );
  const sync = await startSync(other, theirs);
  await until(
    () => statusOf(other, sync),
    (status) => status === 'succeeded',
  );
  const statuses = await Promise.all(syncs.map((one) => statusOf(greedy, one)));
  assert.equal(statuses.filter((status) => status === 'running').length, 2, 'half of the four, and no more');
  // Two calls at once to the provider: those that wait have given their places back.
  const [mine] = (await greedy.v2('GET', '/v2/connections')).body.data;
  const details = await greedy.v2('GET', `/v2/accounts/${account}/balance`);
  assert.equal(details.status, 200, JSON.stringify([mine.status, details.body]));
  bank().clearFaults();
  for (const one of syncs)
    await until(
      () => statusOf(greedy, one),
      (status) => status === 'succeeded',
    );
});

test('a worker that stops ends the wait, and the next start goes on with the run', async () => {
  const owner = await service.owner();
  const [account] = await linkAll(service, owner, [{ provider: 'au_banking', customer: 'sole-trader' }]);
  goesAway();
  const asked = rowsAsked();
  const sync = await startSync(owner, account);
  await until(
    async () => rowsAsked() - asked,
    (count) => count >= 2,
  );
  const { id } = await runOf(owner, sync);
  service = await service.restart();
  const again = v2Client(service.url, owner.key);
  const { body } = await until(
    () => again('GET', `/v2/sync_runs/${id}`),
    (answer) => answer.body.status !== 'running',
  );
  assert.equal(body.status, 'succeeded', JSON.stringify(body));
});
