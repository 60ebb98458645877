import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Category } from '#client';
import {
  draggedOver,
  kindsFor,
  listOf,
  moved,
  patchOf,
  placeOf,
  stepped,
  type Tree,
  treeOf,
} from '../../web/src/rules/categories/tree.ts';

function category(id: string, parent: string | null, more: Partial<Category> = {}): Category {
  return {
    id,
    object: 'category',
    name: id,
    parent,
    icon: 'x',
    color: '#000000',
    position: 0,
    archived: false,
    sources: [],
    category_count: 0,
    metadata: {},
    livemode: true,
    created: '2026-01-01T00:00:00Z',
    updated: '2026-01-01T00:00:00Z',
    ...more,
  };
}

const all = [
  category('food', null),
  category('coffee', 'food'),
  category('bread', 'food'),
  category('tea', 'food', { archived: true }),
  category('home', null),
  category('rent', 'home'),
  category('empty', null),
];
const tree = treeOf(all);
const shownAll = () => true;
const order = (one: Tree | null) => one && listOf(one).map(({ id }) => id);

/** What the service does with a position (docs/categories.md#the-tree). */
function served(before: Tree, id: string, patch: ReturnType<typeof patchOf>): Tree {
  const from = placeOf(before, id);
  assert.ok(from !== null);
  const parent = patch?.parent === undefined ? from.parent : patch.parent;
  return moved(before, id, { parent, at: patch?.position ?? from.at });
}

describe('the tree of categories', () => {
  test('a list becomes a tree and a list again', () => {
    assert.deepEqual(listOf(tree), all);
    assert.deepEqual(placeOf(tree, 'bread'), { parent: 'food', at: 1 });
    assert.deepEqual(placeOf(tree, 'home'), { parent: null, at: 1 });
    assert.equal(placeOf(tree, 'nothing'), null);
  });

  test('a category steps within its group, then into the next one, and never out of the tree', () => {
    const first = stepped(tree, 'coffee', 1, shownAll);
    assert.deepEqual(order(first), ['food', 'bread', 'coffee', 'tea', 'home', 'rent', 'empty']);
    assert.equal(stepped(tree, 'coffee', -1, shownAll), null);
    const above = stepped(tree, 'rent', -1, shownAll);
    assert.deepEqual(above && placeOf(above, 'rent'), { parent: 'food', at: 3 });
    const below = stepped(tree, 'rent', 1, shownAll);
    assert.deepEqual(below && placeOf(below, 'rent'), { parent: 'empty', at: 0 });
    assert.equal(below && stepped(below, 'rent', 1, shownAll), null);
  });

  test('what is archived and hidden is stepped over', () => {
    const shown = ({ archived }: Category) => !archived;
    const out = stepped(tree, 'bread', 1, shown);
    assert.deepEqual(out && placeOf(out, 'bread'), { parent: 'home', at: 0 });
  });

  test('groups move among groups and take what is in them along', () => {
    assert.deepEqual(order(stepped(tree, 'home', -1, shownAll)), [
      'home',
      'rent',
      'food',
      'coffee',
      'bread',
      'tea',
      'empty',
    ]);
    assert.equal(stepped(tree, 'food', -1, shownAll), null);
    assert.deepEqual(kindsFor(tree, 'food'), ['group']);
    assert.ok(!kindsFor(tree, 'rent').includes('group'));
  });

  test('one write brings about every move, and none is made where nothing moved', () => {
    const ids = all.map(({ id }) => id);
    fc.assert(
      fc.property(
        fc.constantFrom(...ids),
        fc.constantFrom('food', 'home', 'empty'),
        fc.nat({ max: 5 }),
        (id, group, at) => {
          const isGroup = placeOf(tree, id)?.parent === null;
          const after = moved(tree, id, { parent: isGroup ? null : group, at });
          const patch = patchOf(tree, after, id);
          assert.deepEqual(order(served(tree, id, patch)), order(after));
          assert.equal(
            patch === null,
            order(after)?.join() === order(tree)?.join() &&
              placeOf(after, id)?.parent === placeOf(tree, id)?.parent,
          );
        },
      ),
    );
  });

  test('a pointer drops on the half of a row it is over, on the head of a group, and in an empty one', () => {
    const over = (id: string, kind: string, target: string, half: 'upper' | 'lower') =>
      order(draggedOver(tree, id, { kind, id: target, half }));
    assert.deepEqual(over('rent', 'category', 'bread', 'upper')?.slice(0, 4), [
      'food',
      'coffee',
      'rent',
      'bread',
    ]);
    assert.deepEqual(over('rent', 'category', 'bread', 'lower')?.slice(0, 4), [
      'food',
      'coffee',
      'bread',
      'rent',
    ]);
    assert.deepEqual(over('coffee', 'category', 'bread', 'lower')?.slice(0, 3), ['food', 'bread', 'coffee']);
    assert.equal(over('coffee', 'category', 'bread', 'upper'), null);
    assert.deepEqual(over('coffee', 'head', 'home', 'lower')?.slice(3, 5), ['home', 'coffee']);
    assert.deepEqual(over('rent', 'head', 'home', 'upper')?.slice(0, 5), [
      'food',
      'coffee',
      'bread',
      'tea',
      'rent',
    ]);
    assert.deepEqual(over('rent', 'empty', 'empty', 'upper')?.at(-1), 'rent');
    assert.deepEqual(over('food', 'group', 'empty', 'lower')?.at(-1), 'tea');
    assert.equal(over('rent', 'category', 'rent', 'lower'), null);
  });
});
