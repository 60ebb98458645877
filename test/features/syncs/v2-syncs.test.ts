import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { systemClock } from '../../../src/platform/clock.ts';
import { newRowId } from '../../../src/platform/row-id.ts';
import { publicId, rowId } from '../../../src/vocabulary/ids.ts';
import { commonService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Answer } from '../../support/v2-client.ts';
import { linkBank } from '../linking/person.ts';
import { Receiver } from '../sync-engine/support/receiver.ts';

let service: TestService;
let owner: TestOwner;
let receiver: Receiver;
before(async () => {
  service = await commonService();
  owner = await service.owner();
  receiver = await new Receiver().open();
});
after(async () => {
  await service.close();
  await receiver.close();
});

function refused(answer: Answer, status: number, code: string, param: string | null = null): void {
  assert.deepEqual([answer.status, answer.body.error?.code, answer.body.error?.param], [status, code, param]);
}

async function webhook(name = 'Receiver', path = '') {
  const { status, body } = await owner.v2('POST', '/v2/destinations', {
    type: 'webhook',
    name,
    target: { url: receiver.url + path },
  });
  assert.equal(status, 200);
  return body;
}

async function finished(run: string) {
  for (let round = 0; round < 400; round++) {
    const { body } = await owner.v2('GET', `/v2/sync_runs/${run}?include[]=account_results`);
    if (body.completed_at !== null) return body;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return assert.fail('the run did not end');
}

describe('syncs over v2', () => {
  test('copy every row of a linked bank to a webhook exactly once, from linking to the last count [move sync: parked because its connection was deleted]', {
    timeout: 600_000,
  }, async () => {
    const connection = await linkBank(owner);
    const { body: accounts } = await owner.v2('GET', `/v2/accounts?connection=${connection}`);
    const ids: string[] = accounts.data.map((account: { id: string }) => account.id);
    const destination = await webhook();
    receiver.secrets = [destination.config.signing_secret];
    assert.deepEqual(
      [destination.status, destination.sync_count, destination.target],
      ['active', 0, { url: receiver.url }],
    );

    const created = await owner.v2('POST', '/v2/syncs', {
      type: 'transactions',
      name: 'All',
      destination: destination.id,
      accounts: ids,
      mapping_mode: 'bulk',
      metadata: { order: '17' },
    });
    assert.equal(created.status, 201);
    const sync = created.body;
    assert.deepEqual(
      [sync.status, sync.latest_run.status, sync.latest_run.trigger],
      ['running', 'queued', 'api'],
    );
    const run = await finished(sync.latest_run.id);
    assert.deepEqual([run.status, run.failure], ['succeeded', null]);
    assert.deepEqual(receiver.faults, []);
    assert.ok([...receiver.newCounts().values()].every((count) => count === 1));
    const rows = receiver.rows();
    assert.equal(run.counts.added, rows.size);
    assert.equal(run.counts.processed, rows.size);
    assert.ok(rows.size > 0);
    assert.deepEqual(
      run.account_results.map((line: { account: string }) => line.account),
      ids,
    );

    for (const account of ids) {
      const { body } = await owner.v2(
        'GET',
        `/v2/transactions?account=${account}&from=${sync.options.data_from}&limit=100`,
      );
      for (const row of body.data) {
        const sent = rows.get(row.id);
        assert.deepEqual([sent?.transaction, sent?.account_item], [row.id, account]);
        assert.deepEqual(
          [sent?.amount, sent?.currency, sent?.description, sent?.local_date],
          [row.amount.amount, row.amount.currency, row.description, row.date],
        );
      }
    }

    const { body: read } = await owner.v2('GET', `/v2/syncs/${sync.id}`);
    assert.deepEqual(
      [read.status, read.attention, read.latest_run, read.metadata],
      ['idle', null, null, { order: '17' }],
    );
    assert.ok(read.last_synced_at && read.next_run_at);
    const again = await owner.v2('POST', `/v2/syncs/${sync.id}/run`);
    assert.deepEqual([again.status, again.body.object], [202, 'sync_run']);
    const second = await finished(again.body.id);
    assert.deepEqual([second.counts.added, second.counts.updated], [0, 0]);
    const refreshed = await owner.v2('POST', `/v2/connections/${connection}/refresh`);
    assert.equal(refreshed.status, 202);
    assert.deepEqual(
      refreshed.body.data.map((row: { sync: string }) => row.sync),
      [sync.id],
    );
    await finished(refreshed.body.data[0].id);
    const { body: runs } = await owner.v2('GET', `/v2/syncs/${sync.id}/runs?status[]=succeeded`);
    assert.equal(runs.data.length, 3);

    assert.equal((await owner.v2('DELETE', `/v2/connections/${connection}`)).status, 200);
    const { body: parked } = await owner.v2('GET', `/v2/syncs/${sync.id}`);
    assert.deepEqual(
      [parked.enabled, parked.status, parked.attention, parked.next_run_at],
      [false, 'attention', { code: 'connection_lost' }, null],
    );
    refused(await owner.v2('POST', `/v2/syncs/${sync.id}/run`), 409, 'sync_disabled');
  });

  test('name the field at fault', async () => {
    const destination = (await webhook('Second', '/2')).id;
    const connection = await linkBank(owner);
    const { body: accounts } = await owner.v2('GET', `/v2/accounts?connection=${connection}`);
    const account: string = accounts.data[0].id;
    const stranger = publicId('account', rowId('account', newRowId(systemClock)));
    const base = {
      type: 'transactions',
      name: 'All',
      destination,
      accounts: [account],
      mapping_mode: 'bulk',
      run_now: false,
    };
    const create = (more: object) => owner.v2('POST', '/v2/syncs', { ...base, ...more });
    refused(await create({ accounts: [stranger] }), 404, 'resource_missing', 'accounts');
    refused(await create({ accounts: ['nonsense'] }), 404, 'resource_missing', 'accounts');
    refused(await create({ accounts: [account, account] }), 400, 'parameter_invalid', 'accounts');
    refused(await create({ accounts: [] }), 400, 'parameter_invalid', 'accounts');
    refused(await create({ destination: 'dest_x' }), 404, 'resource_missing', 'destination');
    refused(await create({ type: 'holdings' }), 400, 'parameter_invalid', 'accounts');
    refused(
      await create({ options: { data_from: '2026-02-30' } }),
      400,
      'parameter_invalid',
      'options.data_from',
    );
    refused(
      await create({ options: { data_form: '2026-02-01' } }),
      400,
      'parameter_invalid',
      'options.data_form',
    );
    refused(
      await create({ account_mappings: [{ sheet: 'x' }] }),
      400,
      'parameter_missing',
      'account_mappings[0].account',
    );
    refused(await create({ name: undefined }), 400, 'parameter_missing', 'name');
    const sync = (await create({})).body;
    assert.equal(sync.latest_run, null);
    refused(await create({}), 409, 'destination_in_use', 'destination');
    refused(await owner.v2('POST', `/v2/syncs/${sync.id}/resync`, {}), 400, 'parameter_missing', 'confirm');
    refused(
      await owner.v2('POST', `/v2/syncs/${sync.id}/resync`, { confirm: false }),
      400,
      'parameter_invalid',
      'confirm',
    );
    refused(await owner.v2('GET', '/v2/syncs?status[]=broken'), 400, 'parameter_invalid', 'status[]');
    refused(await owner.v2('GET', '/v2/syncs?include[]=runs'), 400, 'include_invalid', 'include[]');
    const updated = await owner.v2('PATCH', `/v2/syncs/${sync.id}`, {
      enabled: false,
      options: { include_pending: true },
    });
    assert.deepEqual(
      [updated.status, updated.body.enabled, updated.body.options.include_pending, updated.body.next_run_at],
      [200, false, true, null],
    );
    assert.deepEqual(
      (await owner.v2('GET', '/v2/syncs?enabled=false&status[]=idle')).body.data.map(
        (row: { id: string }) => row.id,
      ),
      [sync.id],
    );
    assert.deepEqual((await owner.v2('DELETE', `/v2/syncs/${sync.id}`)).body, {
      id: sync.id,
      object: 'sync',
      deleted: true,
    });
    refused(await owner.v2('GET', `/v2/syncs/${sync.id}`), 404, 'resource_missing');
    refused(await owner.v2('GET', `/v2/syncs/${sync.id}/runs`), 404, 'resource_missing');
  });

  test('are answered with their first run as it was queued, however soon a worker takes it', async () => {
    const connection = await linkBank(owner);
    const { body: accounts } = await owner.v2('GET', `/v2/accounts?connection=${connection}`);
    for (let number = 0; number < 10; number++) {
      const { body } = await owner.v2('POST', '/v2/syncs', {
        type: 'transactions',
        name: 'At once',
        destination: (await webhook('At once', `/at-once/${number}`)).id,
        accounts: [accounts.data[0].id],
        mapping_mode: 'bulk',
      });
      assert.deepEqual([body.status, body.latest_run.status], ['running', 'queued']);
    }
  });

  test('are rewound with an answer of 200 that is the queued run', async () => {
    const connection = await linkBank(owner);
    const { body: accounts } = await owner.v2('GET', `/v2/accounts?connection=${connection}`);
    const { body: sync } = await owner.v2('POST', '/v2/syncs', {
      type: 'transactions',
      name: 'Again',
      destination: (await webhook('Rewound', '/rewound')).id,
      accounts: [accounts.data[0].id],
      mapping_mode: 'bulk',
      run_now: false,
    });
    const { status, body } = await owner.v2('POST', `/v2/syncs/${sync.id}/resync`, { confirm: true });
    assert.deepEqual(
      [status, body.object, body.sync, body.status, body.trigger],
      [200, 'sync_run', sync.id, 'queued', 'resync'],
    );
    await finished(body.id);
  });

  test('belong to one account record alone', async () => {
    const other = await service.owner();
    const destination = (await webhook('Third', '/3')).id;
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['DELETE', ''],
      ['POST', '/rotate_secret'],
      ['POST', '/enable'],
      ['GET', '/resources?type=sheet'],
    ] as const) {
      refused(
        await other.v2(
          method,
          `/v2/destinations/${destination}${path}`,
          method === 'POST' && path === '' ? {} : undefined,
        ),
        404,
        'resource_missing',
      );
    }
    assert.deepEqual((await other.v2('GET', '/v2/destinations')).body.data, []);
  });
});

describe('destinations over v2', () => {
  test('are created, rotated, enabled, renamed and deleted; the secret is shown twice at most', async () => {
    const made = await webhook('Fourth', '/4');
    const path = `/v2/destinations/${made.id}`;
    assert.equal((await owner.v2('GET', path)).body.config, null);
    const rotated = await owner.v2('POST', `${path}/rotate_secret`);
    assert.match(rotated.body.config.signing_secret, /^whsec_/);
    assert.notEqual(rotated.body.config.signing_secret, made.config.signing_secret);
    assert.equal((await owner.v2('POST', `${path}/enable`)).body.status, 'active');
    assert.equal((await owner.v2('POST', path, { name: 'Renamed' })).body.name, 'Renamed');
    refused(await owner.v2('GET', `${path}/resources?type=sheet`), 409, 'no_resources');
    refused(await owner.v2('GET', `${path}/resources`), 400, 'parameter_missing', 'type');
    refused(
      await owner.v2('POST', '/v2/destinations', { type: 'webhook', name: 'Twin', target: made.target }),
      409,
      'destination_exists',
      'target.url',
    );
    refused(
      await owner.v2('POST', '/v2/destinations', { type: 'webhook', name: 'None' }),
      400,
      'parameter_missing',
      'target.url',
    );
    refused(
      await owner.v2('POST', '/v2/destinations', {
        type: 'webhook',
        name: 'Bad',
        target: { url: 'ftp://x.example' },
      }),
      400,
      'parameter_invalid',
      'target.url',
    );
    refused(
      await owner.v2('POST', '/v2/destinations', { type: 'notion', name: 'Notes' }),
      400,
      'not_supported',
      'type',
    );
    assert.deepEqual((await owner.v2('DELETE', path)).body, {
      id: made.id,
      object: 'destination',
      deleted: true,
    });
    refused(await owner.v2('GET', path), 404, 'resource_missing');
  });

  test('are listed newest first, a page at a time', async () => {
    const mine = await service.owner();
    for (let number = 0; number < 5; number++) {
      await mine.v2('POST', '/v2/destinations', {
        type: 'webhook',
        name: `Page ${number}`,
        target: { url: `${receiver.url}/page/${number}` },
      });
    }
    const names: string[] = [];
    let next: string | null = '/v2/destinations?limit=2';
    while (next !== null) {
      const { body } = await mine.v2('GET', next);
      names.push(...body.data.map((row: { name: string }) => row.name));
      next = body.next_page_url;
    }
    assert.deepEqual(names, ['Page 4', 'Page 3', 'Page 2', 'Page 1', 'Page 0']);
  });
});

describe('accounts of a sync', () => {
  test('that are one account at the bank, linked by two consents, are named in its warnings', async () => {
    const twice = await service.owner();
    const [first, second] = [await linkBank(twice), await linkBank(twice)];
    const accountsOf = async (connection: string): Promise<{ id: string; account_number: string }[]> =>
      (await twice.v2('GET', `/v2/accounts?connection=${connection}`)).body.data;
    const [ours, theirs] = [await accountsOf(first), await accountsOf(second)];
    const pairs = ours.map((one) => [
      one.id,
      theirs.find((other) => other.account_number === one.account_number)?.id ?? assert.fail(),
    ]);
    const { body: destination } = await twice.v2('POST', '/v2/destinations', {
      type: 'webhook',
      name: 'Both',
      target: { url: receiver.url },
    });
    const body = {
      type: 'transactions',
      name: 'Both',
      destination: destination.id,
      accounts: pairs.slice(0, 2).flat(),
      mapping_mode: 'bulk',
      run_now: false,
    };
    const created = await twice.v2('POST', '/v2/syncs', body);
    assert.equal(created.status, 201);
    const warnings = pairs.slice(0, 2).map((accounts) => ({ code: 'same_account_twice', accounts }));
    assert.deepEqual(created.body.warnings, warnings);
    const path = `/v2/syncs/${created.body.id}`;
    assert.deepEqual((await twice.v2('GET', path)).body.warnings, warnings);
    assert.deepEqual((await twice.v2('GET', '/v2/syncs')).body.data[0].warnings, warnings);
    const one = await twice.v2('POST', path, { accounts: ours.map(({ id }) => id) });
    assert.deepEqual(one.body.warnings, []);
  });
});
