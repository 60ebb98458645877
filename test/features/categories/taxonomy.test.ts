import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { CATEGORY_TEMPLATE, claimsOf } from '../../../src/vocabulary/category-template.ts';
import { publicId, rowId } from '../../../src/vocabulary/ids.ts';
import { startService, type TestService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';
import { create, listed, named, names, ok, path, refused } from './owner-client.ts';

let service: TestService;
before(async () => {
  service = await startService({ LIMIT_CATEGORIES: '100' });
});
after(() => service.close());

const TEMPLATE = CATEGORY_TEMPLATE.flatMap((group) => [
  group.name,
  ...group.categories.map(({ name }) => name),
]);

describe('the default categories', () => {
  test('are there at the first use, in order, with all that they claim', async () => {
    const owner = await service.owner();
    const all = await listed(owner);
    assert.deepEqual(names(all), TEMPLATE);
    const groups = new Map(all.filter(({ parent }) => parent === null).map((group) => [group.id, group]));
    for (const category of all) {
      const group = groups.get(category.parent);
      const template = CATEGORY_TEMPLATE.find(({ name }) => name === (group ?? category).name);
      assert.ok(template !== undefined);
      assert.equal(category.category_count, group === undefined ? template.categories.length : 0);
      const one = template.categories.find(({ name }) => name === category.name);
      assert.deepEqual(category.sources, group === undefined || !one ? [] : claimsOf(one).toSorted());
      assert.deepEqual([category.color, category.archived, category.metadata], [template.color, false, null]);
    }
  });

  test('are planted once, however many first uses there are at once', async () => {
    const owner = await service.owner();
    const lists = await Promise.all(Array.from({ length: 6 }, () => listed(owner)));
    const first = lists[0]?.map(({ id }) => id);
    assert.equal(new Set(first).size, TEMPLATE.length);
    for (const list of lists)
      assert.deepEqual(
        list.map(({ id }) => id),
        first,
      );
  });

  test('stay away once someone has deleted all of them', async () => {
    const owner = await service.owner();
    for (const group of await listed(owner, '?parent=none')) {
      await ok(owner.v2('DELETE', `${path}/${group.id}?cascade=true`));
    }
    assert.deepEqual(await listed(owner), []);
    assert.deepEqual(await listed(owner), []);
  });

  test('come back, and nothing else stays, when the owner asks for it and confirms', async () => {
    const owner = await service.owner();
    const before = await listed(owner);
    await create(owner, { name: 'Mine' });
    await refused(owner.v2('POST', `${path}/reset`, {}), 'parameter_missing', 'confirm');
    await refused(owner.v2('POST', `${path}/reset`, { confirm: false }), 'parameter_invalid', 'confirm');
    assert.equal((await listed(owner)).length, before.length + 1);
    const reset = await ok(owner.v2('POST', `${path}/reset`, { confirm: true }));
    assert.deepEqual(names(reset.data), TEMPLATE);
    assert.deepEqual(await listed(owner), reset.data);
    await refused(owner.v2('GET', `${path}/${before[0].id}`), 'resource_missing');
    const never = await service.owner();
    assert.deepEqual(names((await ok(never.v2('POST', `${path}/reset`, { confirm: true }))).data), TEMPLATE);
    assert.deepEqual(names(await listed(never)), TEMPLATE);
  });
});

describe('the tree', () => {
  test('takes groups and categories at the end, with the look of their group', async () => {
    const owner = await service.owner();
    const group = await create(owner, { name: 'Side business', color: '#ABCDEF', metadata: { a: 'b' } });
    assert.deepEqual(group, {
      id: group.id,
      object: 'category',
      name: 'Side business',
      parent: null,
      icon: '📁',
      color: '#abcdef',
      position: CATEGORY_TEMPLATE.length,
      archived: false,
      sources: [],
      category_count: 0,
      metadata: { a: 'b' },
      livemode: true,
      created: group.created,
      updated: group.created,
    });
    const first = await create(owner, { name: 'Stock', parent: group.id });
    const second = await create(owner, { name: 'Postage', parent: group.id, icon: '📮', color: '#000000' });
    assert.deepEqual([first.icon, first.color, first.position, first.parent], ['🏷', '#abcdef', 0, group.id]);
    assert.deepEqual([second.icon, second.color, second.position], ['📮', '#000000', 1]);
    assert.deepEqual(await ok(owner.v2('GET', `${path}/${second.id}`)), second);
    assert.deepEqual(await listed(owner, `?parent=${group.id}`), [first, second]);
    assert.deepEqual(names(await listed(owner)).slice(-3), ['Side business', 'Stock', 'Postage']);
    assert.equal((await listed(owner, '?parent=none&limit=3')).at(-1).category_count, 2);
  });

  test('is changed field by field, by POST and by PATCH', async () => {
    const owner = await service.owner();
    const salary = await named(owner, 'Salary');
    const at = `${path}/${salary.id}`;
    const changed = await ok(
      owner.v2('POST', at, { name: 'Wages', icon: '🛠', color: '#FFFFFF', metadata: { a: '1', b: '2' } }),
    );
    const { updated } = changed;
    assert.deepEqual(changed, {
      ...salary,
      ...{ name: 'Wages', icon: '🛠', color: '#ffffff', metadata: { a: '1', b: '2' }, updated },
    });
    const patched = await ok(owner.v2('PATCH', at, { metadata: { a: null } }));
    assert.deepEqual([patched.name, patched.metadata], ['Wages', { b: '2' }]);
  });

  test('moves categories between groups and within them', async () => {
    const owner = await service.owner();
    const [food, coffee] = [await named(owner, 'Food'), await named(owner, 'Coffee')];
    const housing = await named(owner, 'Housing');
    const inside = async (group: Json) => names(await listed(owner, `?parent=${group.id}`));
    const [before, after] = [await inside(food), await inside(housing)];
    await ok(owner.v2('POST', `${path}/${coffee.id}`, { position: 0 }));
    assert.deepEqual(await inside(food), ['Coffee', ...before.filter((name) => name !== 'Coffee')]);
    const moved = await ok(owner.v2('POST', `${path}/${coffee.id}`, { parent: housing.id }));
    assert.deepEqual([moved.parent, moved.position], [housing.id, after.length]);
    assert.deepEqual(
      await inside(food),
      before.filter((name) => name !== 'Coffee'),
    );
    assert.deepEqual(await inside(housing), [...after, 'Coffee']);
    const last = await ok(owner.v2('POST', `${path}/${housing.id}`, { position: 1_000_000 }));
    assert.equal(last.position, CATEGORY_TEMPLATE.length - 1);
    assert.deepEqual(names(await listed(owner, '?parent=none')).at(-1), 'Housing');
  });

  test('stays one level deep', async () => {
    const owner = await service.owner();
    const [food, coffee] = [await named(owner, 'Food'), await named(owner, 'Coffee')];
    const housing = await named(owner, 'Housing');
    const change = (id: string, parent: string | null) => owner.v2('POST', `${path}/${id}`, { parent });
    await refused(change(housing.id, food.id), 'category_is_group', 'parent');
    await refused(change(housing.id, housing.id), 'category_is_group', 'parent');
    await refused(change(coffee.id, coffee.id), 'parameter_invalid', 'parent');
    await refused(owner.v2('POST', path, { name: 'x', parent: coffee.id }), 'parameter_invalid', 'parent');
    await refused(owner.v2('GET', `${path}?parent=${coffee.id}`), 'parameter_invalid', 'parent');
    await refused(change(coffee.id, null), 'category_is_group', 'parent');
    await ok(owner.v2('POST', `${path}/${coffee.id}/sources`, { sources: [] }));
    const group = await ok(change(coffee.id, null));
    assert.deepEqual([group.parent, group.position], [null, CATEGORY_TEMPLATE.length]);
    await refused(change(coffee.id, food.id), 'category_is_group', 'parent');
  });

  test('refuses what no category can look like', async () => {
    const owner = await service.owner();
    const wrong: readonly (readonly [object, string, string?])[] = [
      [{}, 'name', 'parameter_missing'],
      [{ name: '' }, 'name'],
      [{ name: 'x'.repeat(201) }, 'name'],
      [{ name: 'x', color: 'red' }, 'color'],
      [{ name: 'x', position: 1 }, 'position'],
      [{ name: 'x', parent: 'none' }, 'parent', 'resource_missing'],
      [{ name: 'x', metadata: Object.fromEntries([['k'.repeat(41), 'v']]) }, 'metadata'],
    ];
    for (const [body, param, code = 'parameter_invalid'] of wrong) {
      const { body: answer } = await owner.v2('POST', path, body);
      assert.deepEqual([answer.error?.code, answer.error?.param.split('.')[0]], [code, param]);
    }
    const { id } = await named(owner, 'Salary');
    for (const [body, param] of [
      [{ position: -1 }, 'position'],
      [{ archived: 'yes' }, 'archived'],
      [{ sources: [] }, 'sources'],
    ] as const) {
      await refused(owner.v2('POST', `${path}/${id}`, body), 'parameter_invalid', param);
    }
  });

  test('takes an icon of up to 50 characters [limit icon_characters]', async () => {
    const owner = await service.owner();
    const icon = 'x'.repeat(50);
    assert.equal((await create(owner, { name: 'x', icon })).icon, icon);
    await refused(owner.v2('POST', path, { name: 'x', icon: `${icon}x` }), 'parameter_invalid', 'icon');
  });

  test('holds no more than the limit, however many requests come at the same moment [limit categories]', async () => {
    const owner = await service.owner();
    const room = 100 - TEMPLATE.length;
    const answers = await Promise.all(
      Array.from({ length: room + 5 }, (_, at) => owner.v2('POST', path, { name: `more ${at}` })),
    );
    const over = answers.filter(({ status }) => status !== 200);
    assert.equal(over.length, 5);
    for (const { body } of over)
      assert.deepEqual([body.error.code, body.error.param], ['parameter_invalid', null]);
    assert.equal((await listed(owner)).length, 100);
  });
});

describe('archiving', () => {
  test('hides a category and keeps what it claims', async () => {
    const owner = await service.owner();
    const coffee = await named(owner, 'Coffee');
    const archived = await ok(owner.v2('POST', `${path}/${coffee.id}`, { archived: true }));
    assert.deepEqual([archived.archived, archived.sources], [true, coffee.sources]);
    assert.deepEqual(names(await listed(owner, '?archived=true')), ['Coffee']);
    assert.ok(!names(await listed(owner, '?archived=false')).includes('Coffee'));
    assert.equal((await listed(owner)).length, TEMPLATE.length);
    assert.equal((await ok(owner.v2('POST', `${path}/${coffee.id}`, { archived: false }))).archived, false);
  });

  test('of a group covers what is in it, and restoring it brings back what there was', async () => {
    const owner = await service.owner();
    const [food, coffee] = [await named(owner, 'Food'), await named(owner, 'Coffee')];
    await ok(owner.v2('POST', `${path}/${coffee.id}`, { archived: true }));
    await ok(owner.v2('POST', `${path}/${food.id}`, { archived: true }));
    const groceries = await named(owner, 'Groceries');
    assert.equal(groceries.archived, true);
    assert.equal((await listed(owner, `?parent=${food.id}&archived=true`)).length, food.category_count);
    const restore = owner.v2('POST', `${path}/${groceries.id}`, { archived: false });
    await refused(restore, 'parameter_invalid', 'archived');
    const housing = await named(owner, 'Housing');
    const out = { archived: false, parent: housing.id };
    assert.equal((await ok(owner.v2('POST', `${path}/${groceries.id}`, out))).archived, false);
    await ok(owner.v2('POST', `${path}/${food.id}`, { archived: false }));
    assert.deepEqual(names(await listed(owner, '?archived=true')), ['Coffee']);
  });
});

describe('a taxonomy is its owner’s alone', () => {
  test("another owner's category looks exactly like one that never was", async () => {
    const [owner, stranger] = [await service.owner(), await service.owner()];
    const [group, theirs] = [await named(owner, 'Food'), await named(owner, 'Coffee')];
    const own = await named(stranger, 'Coffee');
    const nobodys = publicId('category', rowId('category', '01234567-89ab-7cde-8f01-23456789abcd'));
    const before = await listed(owner);
    const asks: ((id: string) => readonly [string, string, unknown?])[] = [
      (id) => ['GET', `${path}/${id}`],
      (id) => ['POST', `${path}/${id}`, { name: 'mine' }],
      (id) => ['PATCH', `${path}/${id}`, { archived: true }],
      (id) => ['DELETE', `${path}/${id}?cascade=true`],
      (id) => ['POST', `${path}/${id}/sources`, { sources: ['INCOME'] }],
      (id) => ['GET', `${path}?parent=${id}`],
      (id) => ['POST', path, { name: 'x', parent: id }],
      (id) => ['POST', `${path}/${own.id}`, { parent: id }],
      (id) => ['DELETE', `${path}/${own.id}?reassign_to=${id}`],
    ];
    for (const ask of asks) {
      const answers = await Promise.all([theirs.id, group.id, nobodys].map((id) => stranger.v2(...ask(id))));
      const shown = answers.map(({ status, body }) => {
        assert.equal(status, 404, JSON.stringify(body));
        return JSON.stringify({ ...body.error, request_id: '' });
      });
      assert.deepEqual(new Set(shown).size, 1, shown.join('\n'));
    }
    assert.deepEqual(await listed(owner), before);
  });

  test('needs the scope to read and the scope to write', async () => {
    const reader = await service.owner(['categories:read']);
    assert.equal((await listed(reader)).length, TEMPLATE.length);
    const answer = await reader.v2('POST', path, { name: 'x' });
    assert.deepEqual([answer.status, answer.body.error.code], [403, 'insufficient_scope']);
    const other = await service.owner(['data:read']);
    assert.equal((await other.v2('GET', path)).status, 403);
  });
});
