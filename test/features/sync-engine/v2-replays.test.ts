import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { commonService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';
import { linkBank } from '../linking/person.ts';
import { Receiver } from './support/receiver.ts';

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

async function asked(method: string, path: string, body?: unknown): Promise<Json> {
  const answer = await owner.v2(method, path, body);
  assert.ok(answer.status < 300, JSON.stringify(answer.body));
  return answer.body;
}

async function finished(run: string): Promise<Json> {
  const until = Date.now() + 120_000;
  for (;;) {
    const body = await asked('GET', `/v2/sync_runs/${run}`);
    if (body.completed_at !== null) return body;
    assert.ok(Date.now() < until, 'the run did not end');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

test('over HTTP a run is logged, page by page, and a delivery and days of it are sent again with rules as in the run', {
  timeout: 600_000,
}, async () => {
  const connection = await linkBank(owner);
  const accounts = await asked('GET', `/v2/accounts?connection=${connection}`);
  const target = { url: receiver.url };
  const destination = await asked('POST', '/v2/destinations', { type: 'webhook', name: 'books', target });
  receiver.secrets = [destination.config.signing_secret];
  const ruleset = await asked('POST', '/v2/rulesets', { name: 'Tidy' });
  await asked('POST', `/v2/rulesets/${ruleset.id}/rules`, {
    name: 'Debits',
    conditions: { all: [{ field: 'direction', operator: 'equals', value: 'debit' }] },
    actions: [{ type: 'set_memo', value: 'went out' }],
  });
  const sync = await asked('POST', '/v2/syncs', {
    type: 'transactions',
    name: 'books',
    destination: destination.id,
    accounts: accounts.data.map((account: Json) => account.id),
    mapping_mode: 'bulk',
    run_now: false,
  });
  await asked('POST', `/v2/syncs/${sync.id}/rulesets`, { rulesets: [ruleset.id] });
  const run = await finished((await asked('POST', `/v2/syncs/${sync.id}/run`)).id);
  assert.equal(run.status, 'succeeded');
  const delivered = receiver.rows();
  const events = receiver.events.map(({ id }) => id);

  const path = `/v2/destinations/${destination.id}/deliveries`;
  const [delivery] = (await asked('GET', path)).data;
  assert.deepEqual(
    [delivery.object, delivery.event, delivery.sync, delivery.sync_run, delivery.status],
    ['webhook_delivery', events.at(-1), sync.id, run.id, 'succeeded'],
  );
  assert.deepEqual(
    delivery.attempts.map((one: Json) => one.status_code),
    [204],
  );

  const replay = await asked('POST', `${path}/${delivery.id}/replay`);
  assert.deepEqual([replay.sent, replay.missing, replay.failure], [delivery.new_count, 0, null]);
  const again = receiver.events.at(-1);
  assert.equal(again?.metadata.sync_run_id, null);
  for (const row of again?.data.new ?? []) assert.deepEqual(row, delivered.get(row.transaction));
  assert.ok(again?.data.new.some(({ memo }) => memo === 'went out'));

  const before = receiver.events.length;
  const days = await asked('POST', `/v2/syncs/${sync.id}/replay`, { from: sync.options.data_from });
  assert.deepEqual([days.sent, days.undelivered, days.failure], [delivered.size, 0, null]);
  const sent = receiver.events.slice(before).flatMap(({ data }) => data.new);
  assert.deepEqual(new Map(sent.map((row) => [row.transaction, row])), delivered);
  assert.deepEqual(receiver.faults, []);

  const listed: string[] = [];
  for (let next: string | null = `${path}?limit=1`; next !== null; ) {
    const page: Json = await asked('GET', next.replace(/^https?:\/\/[^/]+/, ''));
    listed.push(...page.data.map((one: Json) => one.event));
    next = page.next_page_url;
  }
  assert.deepEqual(listed, receiver.events.map(({ id }) => id).reverse());
  assert.equal((await finished((await asked('POST', `/v2/syncs/${sync.id}/run`)).id)).counts.added, 0);
});
