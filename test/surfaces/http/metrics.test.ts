import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { WebhookReceiver } from '../../../src/app/demo/receiver.ts';
import { until } from '../../features/linking/person.ts';
import { tableRows } from '../../house/markdown.ts';
import { readText } from '../../house/tree.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';
import { linkAll } from '../v1/support/linked.ts';

let service: TestService;
let owner: TestOwner;
let receiver: WebhookReceiver;
let accounts: readonly string[];
before(async () => {
  service = await startService({ METRICS_PORT: '0' });
  owner = await service.owner();
  receiver = await WebhookReceiver.start();
  accounts = await linkAll(service, owner, [{ provider: 'up_bank', customer: 'everyday' }]);
});
after(async () => {
  await receiver.close();
  await service.close();
});

/** Figures by name and labels, as Prometheus reads them. */
async function figures(): Promise<ReadonlyMap<string, number>> {
  // A second later, those who ask again are given new ones.
  await new Promise((resolve) => setTimeout(resolve, 1100));
  const text = await (await fetch(service.metricsUrl ?? assert.fail())).text();
  return new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );
}

async function made(path: string, body: object): Promise<string> {
  const answer = await owner.v2('POST', path, body);
  assert.ok(answer.status < 300, JSON.stringify(answer.body));
  return answer.body.id;
}

async function runOf(sync: string) {
  const { body } = await until(
    () => owner.v2('GET', `/v2/syncs/${sync}/runs?limit=1`),
    (answer) => answer.body.data[0]?.completed_at != null,
  );
  return body.data[0];
}

describe('What the service counts through its interface', () => {
  test('is the rows and runs of syncs, deliveries, and what waits', async () => {
    const destination = await owner.v2('POST', '/v2/destinations', {
      type: 'webhook',
      name: 'books',
      target: { url: `${receiver.url}/deliveries` },
    });
    receiver.expect(destination.body.config.signing_secret);
    const before = await figures();
    const sync = await made('/v2/syncs', {
      type: 'transactions',
      name: 'books',
      destination: destination.body.id,
      accounts,
      mapping_mode: 'bulk',
    });
    const run = await runOf(sync);
    assert.equal(run.status, 'succeeded');
    const now = await figures();
    const grown = (name: string): number => (now.get(name) ?? 0) - (before.get(name) ?? 0);
    assert.ok(run.counts.added > 0);
    assert.equal(grown('tributary_sync_rows_total{outcome="added"}'), run.counts.added);
    assert.equal(grown('tributary_sync_runs_total{status="succeeded"}'), 1);
    assert.ok(grown('tributary_deliveries_total{to="webhook",outcome="succeeded"}') >= 1);
    assert.equal(now.get('tributary_syncs_since_success{within="1h"}'), 1);
    assert.equal(now.get('tributary_queued_runs'), 0);
    assert.equal(now.get('tributary_workers'), 1);
    assert.ok((now.get('tributary_sync_longest_since_success_seconds') ?? 1e9) < 120);
  });

  test('is runs that failed and deliveries that did', async () => {
    const destination = await made('/v2/destinations', {
      type: 'webhook',
      name: 'gone',
      target: { url: `${service.url}/nowhere` },
    });
    const sync = await made('/v2/syncs', {
      type: 'transactions',
      name: 'gone',
      destination,
      accounts,
      mapping_mode: 'bulk',
    });
    const run = await runOf(sync);
    assert.equal(run.status, 'failed');
    const now = await figures();
    assert.ok((now.get('tributary_sync_runs_total{status="failed"}') ?? 0) >= 1);
    assert.ok((now.get('tributary_deliveries_total{to="webhook",outcome="failed"}') ?? 0) >= 1);
  });

  test('is named in docs/self-hosting.md, and every name there is counted', async () => {
    const text = await (await fetch(service.metricsUrl ?? assert.fail())).text();
    const counted = [...text.matchAll(/^# TYPE (tributary_\w+) /gm)].map(([, name]) => name).toSorted();
    const documented = tableRows(readText('docs/self-hosting.md'), 'Metrics').map(({ Metric = '' }) =>
      Metric.replaceAll('`', ''),
    );
    assert.deepEqual(documented.toSorted(), counted);
  });
});

test('/readyz warns where runs have waited for a minute and no worker is running', async (t) => {
  const alone = await startService({ ROLES: 'api' });
  t.after(() => alone.close());
  const ready = async (url: string): Promise<Json> => (await fetch(`${url}/readyz`)).json();
  assert.deepEqual(await ready(service.url), { status: 'ready' });
  const { v2, record } = await alone.owner();
  await v2('POST', '/v2/destinations', {
    type: 'webhook',
    name: 'books',
    target: { url: `${receiver.url}/deliveries` },
  });
  const { db } = alone.app.database;
  const id = '0190a000-0000-7000-8000-000000000001';
  const [row] = await db.selectFrom('destinations').select('id').execute();
  await sql`insert into syncs (id, account_record, destination, name, type, enabled, mapping_mode, account_mappings,
      category_mappings, options, failed_runs, created, updated)
    values (${id}, ${record.id}, ${row?.id}, 'books', 'transactions', true, 'bulk', '[]', '[]', '{}', 0, now(), now())`.execute(
    db,
  );
  await sql`insert into sync_runs (id, account_record, sync, destination, status, trigger, actor_kind, dispatched_at, created)
    values (${id}, ${record.id}, ${id}, ${row?.id}, 'queued', 'manual', 'service', now() - interval '2 minutes', now())`.execute(
    db,
  );
  assert.deepEqual(await ready(alone.url), {
    status: 'ready',
    warnings: ['Sync runs are waiting and no worker is running. Start a process with ROLES=worker.'],
  });
  await sql`delete from sync_runs`.execute(db);
  assert.ok('warnings' in (await ready(alone.url)), 'the database is not asked for each request');
});
