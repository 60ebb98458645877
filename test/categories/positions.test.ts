import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { AccountRecords } from '../../src/features/account-records.ts';
import { Categories } from '../../src/features/categories.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { Notices } from '../../src/storage/notices.ts';
import type { RowId } from '../../src/vocabulary/ids.ts';
import { DEFAULT_LIMITS } from '../../src/vocabulary/limits.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';

type Id = RowId<'category'>;

let database: TestDatabase;
let categories: Categories;
let records: AccountRecords;
let owners = 0;

before(async () => {
  database = await openTestDatabase();
  const { db } = database;
  const notices = new Notices(database.database);
  categories = new Categories({ db, clock: systemClock, limits: DEFAULT_LIMITS, notices });
  records = new AccountRecords({ db, clock: systemClock, notices });
});
after(() => database.close());

/** An account record without any category. */
async function emptyOwner(): Promise<RowId<'account_record'>> {
  owners += 1;
  const { id } = await records.create({ email: `positions${owners}@example.test` });
  await clear(id);
  return id;
}

async function clear(owner: RowId<'account_record'>): Promise<void> {
  for (const { row } of await categories.list(owner, { parent: null })) {
    await categories.delete(owner, row.id, { cascade: true, heir: null });
  }
}

/** The tree as names; raises unless every list counts from 0 without a gap and in the order of the answer. */
async function treeOf(owner: RowId<'account_record'>): Promise<Record<string, string[]>> {
  const all = await categories.list(owner);
  const tree: Record<string, string[]> = { groups: [] };
  const names = new Map<Id | null, string>([[null, 'groups']]);
  for (const { row } of all) {
    if (row.parent === null) {
      names.set(row.id, row.name);
      tree[row.name] = [];
    }
    const siblings = tree[names.get(row.parent) ?? ''];
    assert.ok(siblings !== undefined, 'a group comes before what is in it');
    assert.equal(row.position, siblings.length, `${row.name} among its siblings`);
    siblings.push(row.name);
  }
  return tree;
}

type Step =
  | { readonly do: 'group'; readonly at: number }
  | { readonly do: 'create' | 'delete'; readonly at: number }
  | { readonly do: 'move'; readonly at: number; readonly to: number; readonly position: number | null };

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom('group', 'create', 'delete'), at: fc.nat(20) }),
  fc.record({
    do: fc.constant('move' as const),
    at: fc.nat(20),
    to: fc.nat(20),
    position: fc.option(fc.nat(5)),
  }),
);

test('after any sequence of creates, moves and deletes every list is without gaps and in the order asked for', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 5, maxLength: 25 }), async (steps) => {
      const owner = await emptyOwner();
      // What the tree should be, kept beside it by plain lists.
      const model = new Map<string, string[]>();
      const order: string[] = [];
      const ids = new Map<string, Id>();
      const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(list.length, 1)];
      for (const [number, step] of steps.entries()) {
        const name = `c${number}`;
        if (step.do === 'group' || order.length === 0) {
          ids.set(name, (await categories.create(owner, { name, parent: null, metadata: null })).row.id);
          order.push(name);
          model.set(name, []);
          continue;
        }
        const group = pick(order, step.at) ?? '';
        const all = [...model.values()].flat();
        if (step.do === 'create') {
          const parent = ids.get(group) ?? null;
          ids.set(name, (await categories.create(owner, { name, parent, metadata: null })).row.id);
          model.get(group)?.push(name);
        } else if (step.do === 'delete') {
          const doomed = pick([...order, ...all], step.at) ?? '';
          const id = ids.get(doomed);
          assert.ok(id !== undefined);
          await categories.delete(owner, id, { cascade: true, heir: null });
          if (model.delete(doomed)) order.splice(order.indexOf(doomed), 1);
          for (const list of model.values()) if (list.includes(doomed)) list.splice(list.indexOf(doomed), 1);
        } else {
          const moved = pick([...order, ...all], step.at) ?? '';
          const id = ids.get(moved);
          assert.ok(id !== undefined);
          const isGroup = model.has(moved);
          const target = isGroup ? null : (pick(order, step.to) ?? '');
          const parent = target === null ? null : (ids.get(target) ?? null);
          const patch = step.position === null ? { parent } : { parent, position: step.position };
          await categories.update(owner, id, patch);
          const list = target === null ? order : (model.get(target) ?? []);
          const stays = step.position === null && list.includes(moved);
          if (stays) continue;
          const from = isGroup ? order : ([...model.values()].find((one) => one.includes(moved)) ?? []);
          from.splice(from.indexOf(moved), 1);
          list.splice(Math.min(step.position ?? list.length, list.length), 0, moved);
        }
      }
      const expected = Object.fromEntries([
        ['groups', order],
        ...order.map((name) => [name, model.get(name)]),
      ]);
      assert.deepEqual(await treeOf(owner), expected);
    }),
    { numRuns: 12 },
  );
});

test('changes at the same moment leave no gap and no two in one place', async () => {
  const owner = await emptyOwner();
  const group = async (name: string) =>
    (await categories.create(owner, { name, parent: null, metadata: null })).row.id;
  const [one, two] = await Promise.all([group('one'), group('two')]);
  const made = await Promise.all(
    Array.from({ length: 8 }, (_, number) =>
      categories.create(owner, { name: `c${number}`, parent: number % 2 === 0 ? one : two, metadata: null }),
    ),
  );
  await Promise.all(
    made.map(({ row }, number) =>
      number === 0
        ? categories.delete(owner, row.id, { cascade: false, heir: null })
        : categories.update(owner, row.id, { parent: number % 3 === 0 ? one : two, position: number % 4 }),
    ),
  );
  const tree = await treeOf(owner);
  assert.deepEqual(
    Object.values(tree)
      .map((list) => list.length)
      .toSorted(),
    [2, 2, 5],
  );
});
