import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { commonService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';
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

async function made(path: string, body: unknown): Promise<Json> {
  const answer = await owner.v2('POST', path, body);
  assert.ok(answer.status < 300, JSON.stringify(answer.body));
  return answer.body;
}

async function finished(run: string): Promise<Json> {
  const until = Date.now() + 60_000;
  for (;;) {
    const { body } = await owner.v2('GET', `/v2/sync_runs/${run}`);
    if (body.completed_at !== null) return body;
    assert.ok(Date.now() < until, 'the run did not end');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

test('a dry run over HTTP shows the rows that the run then delivers, with what rules did to them, and a verification whether it did', {
  timeout: 600_000,
}, async () => {
  const connection = await linkBank(owner);
  const { body: accounts } = await owner.v2('GET', `/v2/accounts?connection=${connection}`);
  const ids: string[] = accounts.data.map((account: Json) => account.id);
  const url = receiver.url;
  const destination = await made('/v2/destinations', { type: 'webhook', name: 'books', target: { url } });
  receiver.secrets = [destination.config.signing_secret];
  const ruleset = await made('/v2/rulesets', { name: 'Tidy' });
  const rule = await made(`/v2/rulesets/${ruleset.id}/rules`, {
    name: 'Debits',
    conditions: { all: [{ field: 'direction', operator: 'equals', value: 'debit' }] },
    actions: [{ type: 'set_memo', value: 'went out' }],
  });
  const sync = await made('/v2/syncs', {
    type: 'transactions',
    name: 'books',
    destination: destination.id,
    accounts: ids,
    mapping_mode: 'bulk',
    run_now: false,
  });
  await made(`/v2/syncs/${sync.id}/rulesets`, { rulesets: [ruleset.id] });

  const said = await made(`/v2/syncs/${sync.id}/dry_run`, undefined);
  assert.equal(receiver.requests.length, 0);
  assert.deepEqual(
    said.accounts.map((line: Json) => [line.account, line.failure]),
    ids.map((id) => [id, null]),
  );
  const debit = said.data.find((row: Json) => row.transaction.direction === 'debit');
  assert.deepEqual([debit.action, debit.memo, debit.rules], ['add', 'went out', [rule.id]]);
  const listed = await owner.v2(
    'GET',
    `/v2/transactions/${debit.id}?account=${debit.account}&from=${sync.options.data_from}`,
  );
  assert.deepEqual(debit.transaction, listed.body);
  const { body: after } = await owner.v2('GET', `/v2/syncs/${sync.id}?include[]=latest_run`);
  assert.equal(after.latest_run, null);

  const undelivered = await made(`/v2/syncs/${sync.id}/verify`, undefined);
  const bank = said.accounts.reduce((sum: number, line: Json) => sum + line.added, 0);
  assert.deepEqual([undelivered.compared_with, undelivered.problems.missing], ['record', bank]);
  const [problem] = undelivered.data;
  assert.deepEqual(
    [problem.kind, problem.reason, problem.remedy, problem.where, problem.fields],
    ['missing', 'not_delivered_yet', 'run', null, []],
  );

  const run = await finished((await made(`/v2/syncs/${sync.id}/run`, undefined)).id);
  const added = said.accounts.reduce((sum: number, line: Json) => sum + line.added, 0);
  assert.deepEqual([run.status, run.counts.added], ['succeeded', added]);
  const again = await made(`/v2/syncs/${sync.id}/dry_run`, undefined);
  assert.deepEqual(again.data, []);
  const verified = await made(`/v2/syncs/${sync.id}/verify`, undefined);
  assert.deepEqual([verified.data, verified.counts.alike, verified.counts.bank], [[], bank, bank]);
});
