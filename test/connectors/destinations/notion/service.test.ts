import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser } from '../../../features/linking/browser.ts';
import { linkBank } from '../../../features/linking/person.ts';
import { startService, type TestOwner, type TestService } from '../../../support/service.ts';
import type { Json } from '../../../support/v2-client.ts';

let service: TestService;
let owner: TestOwner;
before(async () => {
  service = await startService({});
  owner = await service.owner();
});
after(() => service.close());

/** Waits for what is done on its own. */
async function until<T>(ask: () => Promise<T | null>): Promise<T> {
  for (let round = 0; round < 1200; round++) {
    const found = await ask();
    if (found !== null) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return assert.fail('it never happened');
}

test('a person links Notion at its simulated page, chooses a database, and sees every row there', {
  timeout: 600_000,
}, async () => {
  const simulator = service.app.sandbox?.simulators.get('notion') ?? assert.fail();
  const browser = new Browser();
  const { body: link } = await owner.v2('POST', '/v2/destination_links', {
    type: 'notion',
    return_url: 'https://app.example.test/back',
  });
  const begun = await browser.visit(link.url, 'POST');
  assert.ok(begun.location.startsWith(`${service.url}/sandbox/notion/v1/oauth/authorize?`), begun.location);
  const page = await browser.visit(begun.location);
  assert.match(page.html, /Allow access to Notion/);
  const action = new URL(/action="([^"]+)"/.exec(page.html)?.[1] ?? '', service.url);
  const allowed = await fetch(action, {
    method: 'POST',
    body: new URLSearchParams({ outcome: 'approve' }),
    redirect: 'manual',
  });
  await browser.visit(allowed.headers.get('location') ?? '');
  const { body: ended } = await owner.v2('GET', `/v2/destination_links/${link.id}`);
  assert.equal(ended.status, 'completed', JSON.stringify(ended));
  const id: string = ended.destination;
  assert.equal((await owner.v2('GET', `/v2/destinations/${id}`)).body.name, 'Aroha’s Notion');

  const { body: listed } = await owner.v2('GET', `/v2/destinations/${id}/resources?type=database`);
  const [database] = listed.data;
  assert.equal(database.name, 'Transactions');
  const target = { database_id: database.id };
  const { body: aimed } = await owner.v2('POST', `/v2/destinations/${id}`, { target });
  assert.deepEqual([aimed.status, aimed.target], ['active', target]);

  const connection = await linkBank(owner, { customer: 'rows:20' });
  const { body: accounts } = await owner.v2('GET', `/v2/accounts?connection=${connection}`);
  const { body: sync } = await owner.v2('POST', '/v2/syncs', {
    type: 'transactions',
    name: 'All',
    destination: id,
    accounts: accounts.data.map((account: Json) => account.id),
    mapping_mode: 'bulk',
    options: { include_balances_tab: true, data_from: '2020-01-01' },
  });
  const run = await until<Json>(async () => {
    const { body } = await owner.v2('GET', `/v2/sync_runs/${sync.latest_run.id}`);
    return body.completed_at === null ? null : body;
  });
  assert.deepEqual([run.status, run.failure], ['succeeded', null]);
  const rows = simulator.received?.rows() ?? [];
  assert.ok(rows.length > 0 && rows.length === run.counts.added);
  assert.equal(new Set(rows.map((row) => row.id)).size, rows.length);

  for (const path of simulator.received?.pages() ?? []) {
    const shown = await fetch(`${service.url}/sandbox/notion${path}`);
    assert.equal(shown.status, 200, path);
  }
  const table = await (await fetch(`${service.url}/sandbox/notion/databases/${database.id}`)).text();
  for (const { values } of rows) assert.ok(table.includes(String(values['Transaction ID'])));
  assert.equal(
    (await fetch(`${service.url}/sandbox/notion/v1/users/me`)).status,
    404,
    'the API is not for browsers',
  );
});
