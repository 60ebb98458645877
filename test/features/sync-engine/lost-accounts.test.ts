import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { commonService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';
import { importedConnection, linkBank, until } from '../linking/person.ts';
import { posted } from './support/bank.ts';
import { Receiver } from './support/receiver.ts';
import { closeDatabase, World } from './support/world.ts';

describe('a run whose connection is deleted while rows are on their way', () => {
  let service: TestService;
  let owner: TestOwner;
  const receiver = new Receiver();
  before(async () => {
    service = await commonService();
    owner = await service.owner();
    await receiver.open();
  });
  after(async () => {
    await receiver.close();
    await service.close();
  });

  const runOf = async (id: string): Promise<Json> =>
    (await owner.v2('GET', `/v2/sync_runs/${id}?include[]=account_results`)).body;
  const syncOf = async (id: string): Promise<Json> =>
    (await owner.v2('GET', `/v2/syncs/${id}?include[]=latest_run`)).body;

  test('ends as failed, says so on the lines of its accounts only, and once enabled again says the same', async () => {
    const lost = await importedConnection(owner, await linkBank(owner, { customer: 'rows:1200' }));
    const other = await importedConnection(
      owner,
      await linkBank(owner, { customer: 'term-deposit', at: 'inst_fk_88888' }),
    );
    const destination = await owner.v2('POST', '/v2/destinations', {
      type: 'webhook',
      name: 'Receiver',
      target: { url: receiver.url },
    });
    receiver.secrets = [destination.body.signing_secret];
    const held = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    receiver.beforeAnswer = () => {
      reached.resolve();
      return held.promise;
    };
    const { body: sync } = await owner.v2('POST', '/v2/syncs', {
      type: 'transactions',
      name: 'All',
      destination: destination.body.id,
      accounts: [lost.accounts[0].id, other.accounts[0].id],
      mapping_mode: 'bulk',
    });
    await reached.promise;
    assert.equal((await owner.v2('DELETE', `/v2/connections/${lost.id}`)).status, 200);
    const run = await runOf(sync.latest_run.id);
    held.resolve();
    assert.deepEqual(
      [run.status, run.failure, run.account_results.map((line: Json) => [line.status, line.failure?.code])],
      [
        'failed',
        { code: 'run_failed', retryable: false },
        [
          ['failed', 'upstream_auth_failed'],
          ['incomplete', undefined],
        ],
      ],
    );
    const parked = await syncOf(sync.id);
    assert.deepEqual(
      [parked.enabled, parked.status, parked.attention.code],
      [false, 'attention', 'connection_lost'],
    );

    receiver.beforeAnswer = async () => undefined;
    await owner.v2('POST', `/v2/syncs/${sync.id}`, { enabled: true });
    const { body: next } = await owner.v2('POST', `/v2/syncs/${sync.id}/run`);
    const ended = await until(
      () => runOf(next.id),
      ({ completed_at }) => completed_at !== null,
    );
    assert.deepEqual(
      ended.account_results.map((line: Json) => line.failure?.code),
      ['upstream_auth_failed', undefined],
    );
    assert.equal((await syncOf(sync.id)).attention.code, 'connection_lost');
  });
});

describe('an account that goes away after it was read', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.open();
  });
  afterEach(() => world.close());
  after(closeDatabase);

  for (const [code, attention] of [
    ['account_unavailable', 'account_unavailable'],
    ['upstream_auth_failed', 'connection_lost'],
  ] as const) {
    test(`is not said to be well: ${code}`, async () => {
      const [leaving, staying] = [world.account(), world.account()];
      world.bank.accounts.set(leaving, [posted(1)]);
      world.bank.accounts.set(staying, [posted(2)]);
      world.receiver.beforeAnswer = async () => void world.bank.gone.set(leaving, code);
      const sync = await world.sync([leaving, staying]);
      const run = await world.run(sync);
      assert.deepEqual([run.status, run.failure, run.added], ['failed', 'run_failed', 2]);
      const { lines } = await world.runs.read(world.owner.id, run.id, true);
      assert.deepEqual(
        lines?.map(({ status, failure, added }) => [status, failure, added]),
        [
          ['failed', code, 1],
          ['succeeded', null, 1],
        ],
      );
      assert.equal((await world.syncs.read(world.owner.id, sync.row.id)).row.attention, attention);
    });
  }
});
