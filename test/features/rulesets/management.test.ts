import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DEFAULT_LIMITS } from '../../../src/vocabulary/limits.ts';
import { withBrokenTable } from '../../operations/broken-table.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Answer, Json } from '../../support/v2-client.ts';
import { idOf } from '../rules/rows.ts';

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.close());

const path = '/v2/rulesets';
const anyRow = { conditions: null, actions: [{ type: 'set_memo', value: 'x' }] };

function refused(answer: Answer, status: number, code: string, param: string | null = null): void {
  assert.deepEqual([answer.status, answer.body.error?.code, answer.body.error?.param], [status, code, param]);
}

async function made(answer: Promise<Answer>, status = 200): Promise<Json> {
  const { status: got, body } = await answer;
  assert.equal(got, status, JSON.stringify(body));
  return body;
}

const create = (owner: TestOwner, more: object = {}) =>
  made(owner.v2('POST', path, { name: 'Set', ...more }));
const add = (owner: TestOwner, set: Json, more: object = {}) =>
  made(owner.v2('POST', `${path}/${set.id}/rules`, { ...anyRow, ...more }));
async function order(owner: TestOwner, set: Json): Promise<string[]> {
  const { rules } = await made(owner.v2('GET', `${path}/${set.id}?include[]=rules`), 200);
  assert.deepEqual(
    rules.map((rule: Json) => rule.position),
    rules.map((_: Json, at: number) => at),
    'positions have no gap',
  );
  return rules.map((rule: Json) => rule.name);
}

describe('a ruleset', () => {
  test('is made, read, listed newest first, changed in part and deleted', async () => {
    const owner = await service.owner();
    const first = await create(owner, { metadata: { a: '1', b: '2' } });
    assert.deepEqual(
      { ...first, id: '', created: '', updated: '' },
      {
        id: '',
        object: 'ruleset',
        name: 'Set',
        description: null,
        enabled: true,
        rules: null,
        rule_count: 0,
        sync_count: 0,
        metadata: { a: '1', b: '2' },
        livemode: true,
        created: '',
        updated: '',
      },
    );
    const second = await create(owner, { name: 'Second', description: 'words', enabled: false });
    const one = await made(owner.v2('GET', `${path}?limit=1`), 200);
    assert.deepEqual([one.data[0].id, one.data.length], [second.id, 1]);
    const next = await made(owner.v2('GET', one.next_page_url.slice(service.url.length)), 200);
    assert.deepEqual([next.data[0].id, next.next_page_url], [first.id, null]);

    const patch = { name: 'New', enabled: false, metadata: { a: null, c: '3' } };
    const changed = await made(owner.v2('PATCH', `${path}/${first.id}`, patch), 200);
    assert.deepEqual(
      [changed.name, changed.enabled, changed.description, changed.metadata],
      ['New', false, null, { b: '2', c: '3' }],
    );
    const cleared = await made(owner.v2('POST', `${path}/${second.id}`, { description: null }), 200);
    assert.deepEqual([cleared.description, cleared.name], [null, 'Second']);
    assert.deepEqual(await made(owner.v2('DELETE', `${path}/${first.id}`), 200), {
      id: first.id,
      object: 'ruleset',
      deleted: true,
    });
    refused(await owner.v2('GET', `${path}/${first.id}`), 404, 'resource_missing');
    refused(await owner.v2('POST', path, {}), 400, 'parameter_missing', 'name');
    refused(await owner.v2('POST', path, { name: 'x', rules: [] }), 400, 'parameter_invalid', 'rules');
  });

  test('is copied with its rules in their order, never hit and attached to nothing', async () => {
    const owner = await service.owner();
    const set = await create(owner, { name: 'N'.repeat(200), description: 'words', metadata: { a: '1' } });
    const conditions = { all: [{ field: 'amount', operator: 'gt', value: '5' }] };
    await add(owner, set, { name: 'one', conditions, stop: true });
    await add(owner, set, { name: 'two', enabled: false, actions: [{ type: 'skip' }] });
    await add(owner, set, { name: 'zero', position: 0 });
    const { db } = service.app.database;
    await db
      .updateTable('rule_hits')
      .set({ hits: 7, last_hit_at: new Date(0) })
      .execute();
    const copy = await made(owner.v2('POST', `${path}/${set.id}/duplicate?include[]=rules`));
    assert.deepEqual(
      [copy.name, copy.description, copy.metadata, copy.rule_count, copy.sync_count],
      [`Copy of ${'N'.repeat(192)}`, 'words', { a: '1' }, 3, 0],
    );
    const original = await made(owner.v2('GET', `${path}/${set.id}?include[]=rules`), 200);
    const essence = (rules: Json) =>
      rules.map(
        ({ id: _id, ruleset: _set, created: _c, updated: _u, hits: _h, last_hit_at: _l, ...rest }: Json) =>
          rest,
      );
    assert.deepEqual(essence(copy.rules), essence(original.rules));
    assert.deepEqual(
      copy.rules.map((rule: Json) => [rule.hits, rule.last_hit_at, rule.ruleset]),
      Array(3).fill([0, null, copy.id]),
    );
    assert.equal(original.rules[0].hits, 7);
    const ids = new Set([...copy.rules, ...original.rules].map((rule: Json) => rule.id));
    assert.equal(ids.size, 6);
  });

  test('is copied under a name of whole characters', async () => {
    const owner = await service.owner();
    const set = await create(owner, { name: `N${'☕🧾'.repeat(99)}` });
    const copy = await made(owner.v2('POST', `${path}/${set.id}/duplicate`));
    assert.equal(copy.name, [...`Copy of ${set.name}`].slice(0, 200).join(''));
  });

  test('is not made or copied half when the database fails', async () => {
    const owner = await service.owner();
    const set = await create(owner);
    await add(owner, set);
    await withBrokenTable(service, 'rulesets', async () => {
      refused(await owner.v2('POST', path, { name: 'x' }), 409, 'ruleset_create_failed');
    });
    await withBrokenTable(service, 'rules', async () => {
      refused(await owner.v2('POST', `${path}/${set.id}/rules`, anyRow), 409, 'rule_create_failed');
      refused(await owner.v2('POST', `${path}/${set.id}/duplicate`), 409, 'ruleset_duplicate_failed');
    });
    const { data } = await made(owner.v2('GET', path), 200);
    assert.deepEqual([data.length, data[0].rule_count], [1, 1]);
  });
});

describe('rules of a ruleset', () => {
  test('are added, shown as they were parsed, changed in part and deleted', async () => {
    const owner = await service.owner();
    const set = await create(owner);
    const conditions = {
      not: {
        any: [
          { field: 'currency', operator: 'in', value: ['AUD'] },
          { field: 'date', operator: 'is_empty' },
        ],
      },
    };
    const rule = await add(owner, set, { name: 'One', conditions, stop: true });
    assert.deepEqual(rule.conditions, {
      not: {
        any: [
          { field: 'currency', operator: 'in', value: ['aud'], case_sensitive: false },
          { field: 'date', operator: 'is_empty', value: null, case_sensitive: false },
        ],
      },
    });
    assert.deepEqual(
      [rule.object, rule.ruleset, rule.position, rule.enabled, rule.stop, rule.hits, rule.last_hit_at],
      ['rule', set.id, 0, true, true, 0, null],
    );
    const at = `${path}/${set.id}/rules/${rule.id}`;
    assert.deepEqual(await made(owner.v2('GET', at), 200), rule);
    const changed = await made(owner.v2('PATCH', at, { enabled: false, conditions: null }), 200);
    assert.deepEqual([changed.enabled, changed.conditions, changed.actions], [false, null, rule.actions]);
    const same = await made(
      owner.v2('POST', at, { conditions: rule.conditions, actions: rule.actions }),
      200,
    );
    assert.deepEqual([same.conditions, same.actions], [rule.conditions, rule.actions]);
    assert.deepEqual(await made(owner.v2('DELETE', at), 200), { id: rule.id, object: 'rule', deleted: true });
    refused(await owner.v2('GET', at), 404, 'resource_missing');
    refused(await owner.v2('DELETE', at), 404, 'resource_missing');
  });

  test('must say that they are for every row', async () => {
    const owner = await service.owner();
    const set = await create(owner);
    const rules = `${path}/${set.id}/rules`;
    const { conditions: _, ...without } = anyRow;
    refused(await owner.v2('POST', rules, without), 400, 'parameter_missing', 'conditions');
    refused(await owner.v2('POST', rules, { conditions: null }), 400, 'parameter_missing', 'actions');
    const wrong = {
      all: [
        { field: 'status', operator: 'equals', value: 'posted' },
        { field: 'amount', operator: 'contains', value: '5' },
      ],
    };
    refused(
      await owner.v2('POST', rules, { ...anyRow, conditions: wrong }),
      400,
      'parameter_invalid',
      'conditions.all[1].operator',
    );
    refused(
      await owner.v2('POST', rules, { ...anyRow, actions: [{ type: 'set_memo', value: 5 }] }),
      400,
      'parameter_invalid',
      'actions[0].value',
    );
    refused(await owner.v2('POST', rules, { ...anyRow, hits: 5 }), 400, 'parameter_invalid', 'hits');
  });

  test('are in an order without gaps, wherever they are put', async () => {
    const owner = await service.owner();
    const set = await create(owner);
    const [a, b, c] = [
      await add(owner, set, { name: 'a' }),
      await add(owner, set, { name: 'b' }),
      await add(owner, set, { name: 'c' }),
    ];
    assert.deepEqual(await order(owner, set), ['a', 'b', 'c']);
    const d = await add(owner, set, { name: 'd', position: 1 });
    assert.deepEqual(await order(owner, set), ['a', 'd', 'b', 'c']);
    const at = (rule: Json) => `${path}/${set.id}/rules/${rule.id}`;
    assert.equal((await made(owner.v2('POST', at(a), { position: 3 }), 200)).position, 3);
    assert.deepEqual(await order(owner, set), ['d', 'b', 'c', 'a']);
    await made(owner.v2('DELETE', at(b)), 200);
    assert.deepEqual(await order(owner, set), ['d', 'c', 'a']);
    refused(await owner.v2('POST', at(a), { position: 3 }), 400, 'parameter_invalid', 'position');

    const reorder = (rules: readonly string[]) =>
      owner.v2('POST', `${path}/${set.id}/reorder?include[]=rules`, { rules });
    const { rules } = await made(reorder([a.id, d.id, c.id]), 200);
    assert.deepEqual(
      rules.map((rule: Json) => rule.name),
      ['a', 'd', 'c'],
    );
    refused(await reorder([a.id, d.id]), 400, 'parameter_invalid', 'rules');
    refused(await reorder([a.id, d.id, d.id]), 400, 'parameter_invalid', 'rules');
    refused(await reorder([a.id, d.id, c.id, c.id]), 400, 'parameter_invalid', 'rules');
    refused(await reorder([a.id, b.id, c.id]), 404, 'resource_missing', 'rules[1]');
    refused(await reorder([a.id, 'x', c.id]), 404, 'resource_missing', 'rules[1]');
    assert.deepEqual(await order(owner, set), ['a', 'd', 'c']);
    const [page, rest] = [await made(owner.v2('GET', `${path}/${set.id}/rules?limit=2`), 200), 'data'];
    assert.deepEqual(
      page[rest].map((rule: Json) => rule.name),
      ['a', 'd'],
    );
    const next = await made(owner.v2('GET', page.next_page_url.slice(service.url.length)), 200);
    assert.deepEqual([next.data[0].name, next.next_page_url], ['c', null]);
    const back = await made(owner.v2('GET', next.previous_page_url.slice(service.url.length)), 200);
    assert.deepEqual(
      back.data.map((rule: Json) => rule.name),
      ['a', 'd'],
    );
    assert.equal(back.previous_page_url, null);
  });

  test('are 50 at most, also when many are added at once', async () => {
    const owner = await service.owner();
    const set = await create(owner);
    await Promise.all(Array.from({ length: 45 }, (_, at) => add(owner, set, { name: `${at}` })));
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => owner.v2('POST', `${path}/${set.id}/rules`, anyRow)),
    );
    assert.equal(answers.filter(({ status }) => status === 200).length, 5);
    const [last] = answers.filter(({ status }) => status !== 200);
    assert.ok(last !== undefined);
    refused(last, 409, 'rule_limit_reached');
    assert.equal((await order(owner, set)).length, DEFAULT_LIMITS.ruleset_rules);
  });
});

describe('what a rule names', () => {
  test('must be the caller’s own', async () => {
    const [owner, stranger] = [await service.owner(), await service.owner()];
    const categoriesOf = async ({ v2 }: TestOwner) => (await made(v2('GET', '/v2/categories'), 200)).data;
    const [own, foreign] = [await categoriesOf(owner), await categoriesOf(stranger)];
    const group = own.find((category: Json) => category.parent === null);
    const category = own.find((one: Json) => one.parent !== null);
    const theirs = foreign.find((one: Json) => one.parent !== null);
    const set = await create(owner);
    const sent = (more: object) => owner.v2('POST', `${path}/${set.id}/rules`, { ...anyRow, ...more });
    const setting = (value: string) => ({
      actions: [{ type: 'flip_sign' }, { type: 'set_category', value }],
    });
    const asking = (value: string) => ({
      conditions: { any: [{ field: 'category', operator: 'in', value: [category.id, value] }] },
    });
    await made(sent({ ...setting(category.id), ...asking(group.id) }));
    for (const id of [theirs.id, idOf('category', 9)]) {
      refused(await sent(setting(id)), 404, 'resource_missing', 'actions[1].value');
      refused(await sent(asking(id)), 404, 'resource_missing', 'conditions.any[0].value[1]');
    }
    refused(await sent(setting(group.id)), 400, 'parameter_invalid', 'actions[1].value');
    const account = { conditions: { field: 'account', operator: 'equals', value: idOf('account', 9) } };
    refused(await sent(account), 404, 'resource_missing', 'conditions.value');
    const missing = await owner.v2('POST', `${path}/${set.id}/rules`, {
      ...anyRow,
      ...setting(idOf('category', 9)),
    });
    const others = await owner.v2('POST', `${path}/${set.id}/rules`, { ...anyRow, ...setting(theirs.id) });
    const bytes = ({ body }: Answer) => JSON.stringify({ ...body.error, request_id: '' });
    assert.equal(bytes(missing), bytes(others));
  });
});

describe('rulesets of someone else', () => {
  test('look like none at all', async () => {
    const [owner, stranger] = [await service.owner(), await service.owner()];
    const set = await create(owner);
    const rule = await add(owner, set);
    const own = await create(stranger);
    const at = `${path}/${set.id}`;
    const asks: ReadonlyArray<readonly [string, string, unknown?]> = [
      ['GET', at],
      ['POST', at, { name: 'mine' }],
      ['DELETE', at],
      ['POST', `${at}/duplicate`],
      ['GET', `${at}/rules`],
      ['POST', `${at}/rules`, anyRow],
      ['GET', `${at}/rules/${rule.id}`],
      ['POST', `${at}/rules/${rule.id}`, { stop: true }],
      ['DELETE', `${at}/rules/${rule.id}`],
      ['POST', `${at}/reorder`, { rules: [rule.id] }],
      ['POST', `${at}/preview`, { account: idOf('account', 9) }],
      ['GET', `${path}/${own.id}/rules/${rule.id}`],
      ['DELETE', `${path}/${own.id}/rules/${rule.id}`],
    ];
    for (const [method, address, body] of asks) {
      refused(await stranger.v2(method, address, body), 404, 'resource_missing');
    }
    assert.deepEqual((await made(stranger.v2('GET', path), 200)).data.length, 1);
    assert.equal((await made(owner.v2('GET', `${at}?include[]=rules`), 200)).rules.length, 1);
  });
});
