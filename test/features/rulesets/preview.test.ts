import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Answer, Json } from '../../support/v2-client.ts';
import { importWithoutWorkers, linkBank } from '../linking/person.ts';
import { idOf } from '../rules/rows.ts';
import { Receiver } from '../sync-engine/support/receiver.ts';

let service: TestService;
let owner: TestOwner;
let account: string;
let rows: Json[];
let set: Json;
async function open(roles: 'api' | 'api,worker'): Promise<void> {
  service = await startService({ ROLES: roles, LIMIT_PREVIEW_ROWS: '60' });
  owner = await service.owner();
  const { id: connection } = await importWithoutWorkers(service, owner, await linkBank(owner));
  const accounts = await ok(owner.v2('GET', `/v2/accounts?connection=${connection}`));
  const lists = await Promise.all(
    accounts.data.map(async ({ id }: Json) => {
      const { data } = await ok(owner.v2('GET', `/v2/transactions?account=${id}&limit=100`));
      return { id, data };
    }),
  );
  // The account a household lives from: it has rows of both directions.
  const busiest = lists.toSorted((one, other) => other.data.length - one.data.length)[0];
  account = busiest.id;
  rows = busiest.data;
  set = await ok(owner.v2('POST', '/v2/rulesets', { name: 'Set' }), 200);
  assert.ok(rows.length > 3);
}

async function ok(answer: Promise<Answer>, status = 200): Promise<Json> {
  const { status: got, body } = await answer;
  assert.equal(got, status, JSON.stringify(body));
  return body;
}

function refused(answer: Answer, status: number, code: string, param: string | null = null): void {
  assert.deepEqual([answer.status, answer.body.error?.code, answer.body.error?.param], [status, code, param]);
}

const preview = (body: object, asker: TestOwner = owner) =>
  asker.v2('POST', `/v2/rulesets/${set.id}/preview`, { account, ...body });
const skipDebits = {
  name: 'No debits',
  conditions: { field: 'direction', operator: 'equals', value: 'debit' },
  actions: [{ type: 'skip' }],
};
const noteAll = { conditions: null, actions: [{ type: 'set_memo', value: 'all' }, { type: 'flip_sign' }] };

/** Rules whose patterns take long to compile. */
const demanding = Array.from({ length: 4 }, (_, at) => ({
  conditions: { field: 'description', operator: 'matches', value: `(?:${at}[a-z]{1,60}|[a-z]{1,60}x){1,2}` },
  actions: [{ type: 'set_memo', value: 'x' }],
}));

/** Every row of every table but those that a request of any kind touches. */
async function dump(): Promise<string> {
  const { db } = service.app.database;
  const tables = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(db);
  const parts: string[] = [];
  for (const { name } of tables.rows.filter(({ name }) => !/^(?:rate_|api_keys|job|queue)/.test(name))) {
    const { rows: found } = await sql<{ row: unknown }>`
      select to_jsonb(t) as row from ${sql.table(name)} as t order by to_jsonb(t)::text`.execute(db);
    parts.push(`${name}: ${JSON.stringify(found)}`);
  }
  assert.ok(parts.length > 15);
  return parts.join('\n');
}

test('more previews than may wait are refused, and what was refused can be asked again [limit lists_waiting]', async (t) => {
  const full = await startService({
    LIMIT_PREVIEWS_AT_ONCE: '1',
    LIMIT_LISTS_WAITING: '2',
    LIMIT_HEAVY_IN_FLIGHT: '40',
  });
  t.after(() => full.close());
  const asker = await full.owner();
  const { id: connection } = await importWithoutWorkers(full, asker, await linkBank(asker));
  const [own] = (await ok(asker.v2('GET', `/v2/accounts?connection=${connection}`))).data;
  const { id } = await ok(asker.v2('POST', '/v2/rulesets', { name: 'Own' }));
  const ask = () => asker.v2('POST', `/v2/rulesets/${id}/preview`, { account: own.id, rules: demanding });
  await ok(ask());
  const answers = await Promise.all(Array.from({ length: 12 }, ask));
  const codes = answers.map(({ status, body }) => body.error?.code ?? status);
  assert.ok(codes.includes('rate_limit_exceeded'), codes.join());
  assert.ok(answers.every(({ status, headers }) => status === 200 || headers.get('retry-after') === '1'));
  await ok(ask());
});

describe('a preview', () => {
  // No one works in the background, so that nothing is written but what a request writes.
  before(() => open('api'));
  after(() => service.close());

  test('shows real rows before and after, and writes nothing anywhere', async () => {
    await ok(owner.v2('POST', `/v2/rulesets/${set.id}/rules`, skipDebits), 200);
    const noted = await ok(owner.v2('POST', `/v2/rulesets/${set.id}/rules`, noteAll), 200);
    const before = await dump();
    const shown = await ok(preview({ limit: 60 }));
    assert.equal(await dump(), before);

    const wanted = rows.slice(0, 60);
    assert.deepEqual(
      shown.rows.map((row: Json) => row.before),
      wanted,
    );
    const debits = wanted.filter((row) => row.direction === 'debit').length;
    assert.ok(debits > 0);
    assert.deepEqual(shown.totals, {
      rows: wanted.length,
      matched: wanted.length,
      changed: wanted.length - debits,
      skipped: debits,
    });
    assert.deepEqual(
      shown.rules.map((rule: Json) => [rule.name, rule.position, rule.hits]),
      [
        ['No debits', 0, debits],
        [null, 1, wanted.length - debits],
      ],
    );
    for (const row of shown.rows) {
      assert.equal(row.skipped, row.before.direction === 'debit');
      assert.equal(row.after === null, row.skipped);
      if (row.skipped) continue;
      assert.deepEqual(
        [row.after.amount.amount, row.after.direction, row.memo, row.rules],
        [-row.before.amount.amount, 'debit', 'all', [{ rule: noted.id, position: 1 }]],
      );
      const { amount: _a, direction: _d, ...rest } = row.after;
      const { amount: _b, direction: _e, ...was } = row.before;
      assert.deepEqual(rest, was);
    }
    assert.equal((await ok(owner.v2('GET', `/v2/rulesets/${set.id}/rules/${noted.id}`))).hits, 0);
  });

  test('tries rules that are not saved, also those that set a category', async () => {
    const categories = (await ok(owner.v2('GET', '/v2/categories'))).data;
    const category = categories.find((one: Json) => one.parent !== null);
    const rules = [
      { conditions: { field: 'category', operator: 'is_empty' }, actions: [{ type: 'skip' }] },
      { conditions: null, actions: [{ type: 'set_category', value: category.id }], stop: true },
      noteAll,
    ];
    const shown = await ok(preview({ rules, limit: 5 }));
    assert.deepEqual([shown.rows.length, shown.truncated], [5, rows.length > 5]);
    for (const row of shown.rows) {
      assert.equal(row.skipped, row.before.category === null);
      if (!row.skipped) assert.deepEqual([row.after.category, row.memo], [category.id, null]);
      assert.equal(row.changed, !row.skipped && row.before.category !== category.id);
      assert.equal(row.rules[0].rule, null);
    }
  });

  test('names what is wrong with a rule, an account or a window', async () => {
    const wrong = { ...noteAll, conditions: { all: [{ field: 'date', operator: 'gt', value: 'x' }] } };
    refused(
      await preview({ rules: [noteAll, wrong] }),
      400,
      'parameter_invalid',
      'rules[1].conditions.all[0].value',
    );
    const setting = { ...noteAll, actions: [{ type: 'set_category', value: idOf('category', 9) }] };
    refused(await preview({ rules: [setting] }), 404, 'resource_missing', 'rules[0].actions[0].value');
    refused(await preview({ account: idOf('account', 9) }), 404, 'resource_missing', 'account');
    refused(await preview({ from: '2026-02-01', to: '2026-01-01' }), 400, 'invalid_date_range', 'from');
    refused(await preview({ limit: 0 }), 400, 'parameter_invalid', 'limit');
    refused(await preview({ rules: Array(51).fill(noteAll) }), 400, 'parameter_invalid', 'rules');
    refused(
      await owner.v2('POST', `/v2/rulesets/${set.id}/preview`, {}),
      400,
      'parameter_missing',
      'account',
    );
  });

  test('shows no more rows than it may [limit preview_rows]', async () => {
    assert.ok((await ok(preview({ limit: 60 }))).rows.length <= 60);
    refused(await preview({ limit: 61 }), 400, 'parameter_invalid', 'limit');
    assert.ok((await ok(preview({}))).rows.length <= 60);
  });

  test('is for keys that may read both rules and data', async () => {
    for (const scopes of [['rules:read'], ['data:read']] as const) {
      const { secret } = await service.app.services.apiKeys.create(
        owner.record.id,
        { name: 'one', scopes },
        null,
      );
      const response = await fetch(`${service.url}/v2/rulesets/${set.id}/preview`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${secret}`,
          'service-version': '2026-10-01.wattle',
          'content-type': 'application/json',
        },
        body: JSON.stringify({ account }),
      });
      assert.equal(response.status, 403);
    }
  });
});

describe('a ruleset attached to a sync', () => {
  before(() => open('api,worker'));
  after(() => service.close());

  test('shapes what the receiver gets, categories included, and is detached when it is deleted', async () => {
    const receiver = await new Receiver().open();
    const destination = await ok(
      owner.v2('POST', '/v2/destinations', { type: 'webhook', name: 'R', target: { url: receiver.url } }),
    );
    receiver.secrets = [destination.config.signing_secret];
    const sync = await ok(
      owner.v2('POST', '/v2/syncs', {
        type: 'transactions',
        name: 'All',
        destination: destination.id,
        accounts: [account],
        mapping_mode: 'bulk',
        options: { custom_categories: true },
        run_now: false,
      }),
      201,
    );
    assert.deepEqual(sync.rulesets, []);
    const attach = (rulesets: readonly string[]) =>
      owner.v2('POST', `/v2/syncs/${sync.id}/rulesets`, { rulesets });
    const category = (await ok(owner.v2('GET', '/v2/categories'))).data.find(
      (one: Json) => one.parent !== null,
    );
    const other = await ok(owner.v2('POST', '/v2/rulesets', { name: 'Shape' }), 200);
    const rules = `/v2/rulesets/${other.id}/rules`;
    await ok(owner.v2('POST', rules, skipDebits), 200);
    const body = {
      conditions: { field: 'account', operator: 'equals', value: account },
      actions: [
        { type: 'set_category', value: category.id },
        { type: 'add_tag', value: 'income' },
      ],
    };
    const rule = await ok(owner.v2('POST', rules, body), 200);

    refused(await attach([other.id, set.id]), 400, 'parameter_invalid', 'rulesets');
    refused(await attach([idOf('ruleset', 9)]), 404, 'resource_missing', 'rulesets[0]');
    refused(await attach(['x']), 404, 'resource_missing', 'rulesets[0]');
    const stranger = await service.owner();
    const foreign = await ok(stranger.v2('POST', '/v2/rulesets', { name: 'Theirs' }), 200);
    refused(await attach([foreign.id]), 404, 'resource_missing', 'rulesets[0]');
    refused(
      await stranger.v2('POST', `/v2/syncs/${sync.id}/rulesets`, { rulesets: [] }),
      404,
      'resource_missing',
    );
    assert.deepEqual((await ok(attach([set.id]))).rulesets, [set.id]);
    assert.deepEqual((await ok(attach([other.id]))).rulesets, [other.id], 'in place of the one before');
    assert.equal((await ok(owner.v2('GET', `/v2/rulesets/${other.id}`))).sync_count, 1);

    const run = await ok(owner.v2('POST', `/v2/syncs/${sync.id}/run`), 202);
    const ended = await finished(run.id);
    assert.deepEqual([ended.status, receiver.faults], ['succeeded', []]);
    const got = [...receiver.rows().values()];
    assert.ok(got.length > 0);
    assert.deepEqual([ended.counts.added, ended.counts.skipped_by_rules > 0], [got.length, true]);
    assert.equal(ended.counts.processed, got.length + ended.counts.skipped_by_rules);
    for (const row of got) {
      assert.deepEqual([row.direction, row.custom_category, row.tags], ['credit', category.name, ['income']]);
    }
    const counted = await ok(owner.v2('GET', `${rules}/${rule.id}`));
    assert.equal(counted.hits, got.length);
    assert.ok(counted.last_hit_at !== null);

    await ok(owner.v2('DELETE', `/v2/rulesets/${other.id}`));
    assert.deepEqual((await ok(owner.v2('GET', `/v2/syncs/${sync.id}`))).rulesets, []);
    assert.deepEqual((await ok(attach([set.id]))).rulesets, [set.id]);
    assert.deepEqual((await ok(attach([]))).rulesets, []);
    await ok(attach([set.id]));
    await ok(owner.v2('DELETE', `/v2/syncs/${sync.id}`));
    assert.equal((await ok(owner.v2('GET', `/v2/rulesets/${set.id}`))).sync_count, 0);
    await receiver.close();
  });
});

async function finished(run: string): Promise<Json> {
  for (let round = 0; round < 400; round++) {
    const body = await ok(owner.v2('GET', `/v2/sync_runs/${run}`));
    if (body.completed_at !== null) return body;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return assert.fail('the run did not end');
}

describe('a preview', () => {
  before(() => open('api,worker'));
  after(() => service.close());

  test('of one account record comes before most of the many that another asked for first', async () => {
    const other = await service.owner();
    const connection = await importWithoutWorkers(service, other, await linkBank(other));
    const [theirs] = (await ok(other.v2('GET', `/v2/accounts?connection=${connection.id}`))).data;
    const own = await ok(other.v2('POST', '/v2/rulesets', { name: 'Own' }));
    const ask = () =>
      other.v2('POST', `/v2/rulesets/${own.id}/preview`, { account: theirs.id, rules: [noteAll] });
    // What both read is cached, so that no one waits for a bank.
    await ok(ask());
    await ok(preview({ rules: demanding }));
    const ended: string[] = [];
    const greedy = Array.from({ length: 40 }, () =>
      preview({ rules: demanding }).then(({ status }) => ended.push(`greedy ${status}`)),
    );
    const modest = ask().then(({ status }) => ended.push(`modest ${status}`));
    await Promise.all([...greedy, modest]);
    assert.equal(ended.filter((one) => one.endsWith(' 200')).length, 41, ended.join());
    assert.ok(ended.indexOf('modest 200') < 20, ended.join());
  });
});
