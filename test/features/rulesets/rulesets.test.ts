import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sandboxBank } from '../../support/sandbox-bank.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Answer, Json } from '../../support/v2-client.ts';
import { importedConnection, linkBank } from '../linking/person.ts';

let service: TestService;
let owner: TestOwner;
let account: string;

/** Each limit as small as a test can show both sides of it. */
before(async () => {
  service = await startService({
    LIMIT_RULESETS: '2',
    LIMIT_RULESET_RULES: '3',
    LIMIT_RULESET_PATTERNS: '1',
    LIMIT_SYNC_RULESETS: '1',
    LIMIT_RULE_CONDITIONS: '4',
    LIMIT_RULE_CONDITION_DEPTH: '3',
    LIMIT_RULE_ACTIONS: '2',
    LIMIT_RULE_VALUES: '2',
    LIMIT_RULE_TEXT_CHARACTERS: '12',
    LIMIT_RULE_PATTERN_CHARACTERS: '8',
    LIMIT_RULE_PATTERN_STEPS: '20',
    LIMIT_ROW_TEXT_CHARACTERS: '100',
    LIMIT_PREVIEW_ROWS: '3',
    LIMIT_TRANSACTIONS_CACHE_MINUTES: '0',
  });
  owner = await service.owner();
  const connection = await importedConnection(owner, await linkBank(owner));
  account = connection.accounts[0].id;
});
after(() => service.close());

const refusal = ({ status, body }: Answer) => [status, body.error?.code, body.error?.param];

async function newRuleset(someone = owner): Promise<string> {
  const { status, body } = await someone.v2('POST', '/v2/rulesets', { name: 'Tidy' });
  assert.ok(status < 300, JSON.stringify(body));
  return body.id;
}

const leaf = (value: unknown = 'a', operator = 'contains') => ({ field: 'description', operator, value });
const memo = (value = 'm') => ({ type: 'set_memo', value });
const rule = (more: object = {}) => ({ conditions: leaf(), actions: [memo()], ...more });

/** Saves the rule in a ruleset of its own. */
async function saved(more: object): Promise<(string | number | undefined)[]> {
  const someone = await service.owner();
  const answer = await someone.v2('POST', `/v2/rulesets/${await newRuleset(someone)}/rules`, rule(more));
  return answer.status < 300 ? ['saved'] : refusal(answer);
}
const refusedAt = (param: string) => [400, 'parameter_invalid', param];

describe('a ruleset', () => {
  test('is made until there are as many as allowed [limit rulesets]', async () => {
    const someone = await service.owner();
    const first = await newRuleset(someone);
    await newRuleset(someone);
    const [status, code] = refusal(await someone.v2('POST', '/v2/rulesets', { name: 'Third' }));
    assert.deepEqual([status, code], [400, 'parameter_invalid']);
    await someone.v2('DELETE', `/v2/rulesets/${first}`);
    await newRuleset(someone);
  });

  test('holds as many rules as allowed [limit ruleset_rules]', async () => {
    const someone = await service.owner();
    const path = `/v2/rulesets/${await newRuleset(someone)}/rules`;
    for (let at = 0; at < 3; at++) assert.ok((await someone.v2('POST', path, rule())).status < 300);
    const refused = await someone.v2('POST', path, rule());
    assert.deepEqual([refused.status, refused.body.error.code], [409, 'rule_limit_reached']);
  });

  test('holds as many patterns as allowed, over all its rules [limit ruleset_patterns]', async () => {
    const someone = await service.owner();
    const path = `/v2/rulesets/${await newRuleset(someone)}/rules`;
    const pattern = rule({ conditions: leaf('a+', 'matches') });
    assert.ok((await someone.v2('POST', path, pattern)).status < 300);
    const [status, code] = refusal(await someone.v2('POST', path, pattern));
    assert.deepEqual([status, code], [400, 'parameter_invalid']);
    assert.ok((await someone.v2('POST', path, rule())).status < 300);
  });

  test('is attached to a sync beside no more than allowed [limit sync_rulesets]', async () => {
    const target = { url: 'http://127.0.0.1:9/hook' };
    const destination = await owner.v2('POST', '/v2/destinations', { type: 'webhook', name: 'b', target });
    const { body: sync } = await owner.v2('POST', '/v2/syncs', {
      type: 'transactions',
      name: 'All',
      destination: destination.body.id,
      accounts: [account],
      mapping_mode: 'bulk',
      run_now: false,
    });
    const [one, two] = [await newRuleset(), await newRuleset()];
    const attach = (rulesets: readonly string[]) =>
      owner.v2('POST', `/v2/syncs/${sync.id}/rulesets`, { rulesets });
    assert.equal((await attach([one])).status, 200);
    assert.deepEqual(refusal(await attach([one, two])), refusedAt('rulesets'));
    for (const id of [one, two]) await owner.v2('DELETE', `/v2/rulesets/${id}`);
  });
});

describe('a rule', () => {
  test('holds as many conditions and groups as allowed [limit rule_conditions]', async () => {
    assert.deepEqual(await saved({ conditions: { all: [leaf(), leaf(), leaf()] } }), ['saved']);
    const four = { all: [leaf(), { any: [leaf(), leaf()] }] };
    assert.deepEqual(await saved({ conditions: four }), refusedAt('conditions.all[1].any[1]'));
  });

  test('nests its conditions as deep as allowed [limit rule_condition_depth]', async () => {
    assert.deepEqual(await saved({ conditions: { not: { not: leaf() } } }), ['saved']);
    const deeper = { not: { not: { not: leaf() } } };
    assert.deepEqual(await saved({ conditions: deeper }), refusedAt('conditions.not.not.not'));
  });

  test('holds as many actions as allowed [limit rule_actions]', async () => {
    assert.deepEqual(await saved({ actions: [memo(), memo()] }), ['saved']);
    assert.deepEqual(await saved({ actions: [memo(), memo(), memo()] }), refusedAt('actions'));
  });

  test('compares with as many values as allowed [limit rule_values]', async () => {
    assert.deepEqual(await saved({ conditions: leaf(['a', 'b'], 'in') }), ['saved']);
    assert.deepEqual(await saved({ conditions: leaf(['a', 'b', 'c'], 'in') }), refusedAt('conditions.value'));
  });

  test('names texts of as many characters as allowed [limit rule_text_characters]', async () => {
    const [most, more] = ['t'.repeat(12), 't'.repeat(13)];
    assert.deepEqual(await saved({ conditions: leaf(most), actions: [memo(most)] }), ['saved']);
    assert.deepEqual(await saved({ conditions: leaf(more) }), refusedAt('conditions.value'));
    assert.deepEqual(await saved({ actions: [memo(more)] }), refusedAt('actions[0].value'));
  });

  test('names patterns of as many characters as allowed [limit rule_pattern_characters]', async () => {
    assert.deepEqual(await saved({ conditions: leaf('p'.repeat(8), 'matches') }), ['saved']);
    assert.deepEqual(
      await saved({ conditions: leaf('p'.repeat(9), 'matches') }),
      refusedAt('conditions.value'),
    );
  });

  test('names patterns of as many steps as allowed [limit rule_pattern_steps]', async () => {
    assert.deepEqual(await saved({ conditions: leaf('a{10}', 'matches') }), ['saved']);
    assert.deepEqual(await saved({ conditions: leaf('a{30}', 'matches') }), refusedAt('conditions.value'));
  });
});

describe('a preview', () => {
  const preview = async (id: string, more: object): Promise<Answer> =>
    owner.v2('POST', `/v2/rulesets/${id}/preview`, { account, ...more });

  test('shows as many rows as allowed [limit preview_rows]', async () => {
    const id = await newRuleset();
    const { body } = await preview(id, { limit: 3 });
    assert.equal(body.rows.length, 3);
    assert.equal((await preview(id, {})).body.rows.length, 3);
    assert.deepEqual(refusal(await preview(id, { limit: 4 })), refusedAt('limit'));
    await owner.v2('DELETE', `/v2/rulesets/${id}`);
  });

  test('has a pattern look at the beginning of a text, as far as allowed [limit row_text_characters]', async () => {
    const control = sandboxBank(service.app);
    for (const upstream of control.consents().at(-1)?.accountIds ?? []) {
      control.appendTransactions(upstream, [
        { amount: '-1.00', description: `${'.'.repeat(94)}needle ${'.'.repeat(60)}` },
        { amount: '-2.00', description: `${'.'.repeat(95)}needle ${'.'.repeat(60)}` },
      ]);
    }
    const id = await newRuleset();
    const { body } = await preview(id, {
      limit: 2,
      rules: [rule({ conditions: leaf('needle', 'matches') })],
    });
    const changed: readonly [number, boolean][] = body.rows.map((row: Json) => [
      row.before.amount.amount,
      row.changed,
    ]);
    const largestFirst = changed.toSorted(([one], [other]) => other - one);
    assert.deepEqual(largestFirst, [
      [-100, true],
      [-200, false],
    ]);
    await owner.v2('DELETE', `/v2/rulesets/${id}`);
  });
});
