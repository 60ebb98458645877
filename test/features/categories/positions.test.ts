import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { AccountRecords } from '../../../src/features/access/account-records.ts';
import { Categories } from '../../../src/features/categories/categories.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { Notices } from '../../../src/storage/notices.ts';
import type { OwnerId, RowId } from '../../../src/vocabulary/ids.ts';
import { DEFAULT_LIMITS } from '../../../src/vocabulary/limits.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';

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
async function emptyOwner(): Promise<OwnerId> {
  owners += 1;
  const { id } = await records.create({ email: `positions${owners}@example.test` });
  await clear(id);
  return id;
}

async function clear(owner: OwnerId): Promise<void> {
  for (const { row } of await categories.list(owner, { parent: null })) {
    await categories.delete(owner, row.id, { cascade: true, reassignTarget: null });
  }
}

/** The tree as names; raises unless every list counts from 0 without a gap and in the order of the answer. */
async function treeOf(owner: OwnerId): Promise<Record<string, string[]>> {
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

const anyStep = fc.record({
  does: fc.constantFrom('group', 'create', 'create', 'delete', 'move', 'move', 'move'),
  at: fc.nat(20),
  to: fc.nat(20),
  position: fc.option(fc.nat(5)),
});

/** The same taxonomy kept by plain lists: names of the groups, and of what is in each. */
class Model {
  readonly groups: string[] = [];
  readonly inside = new Map<string, string[]>();
  readonly ids = new Map<string, Id>();

  get everything(): string[] {
    return [...this.groups, ...[...this.inside.values()].flat()];
  }

  idOf(name: string): Id {
    return this.ids.get(name) ?? assert.fail(name);
  }

  /** The list that has the name, or that of the group. */
  listOf(name: string): string[] {
    if (this.groups.includes(name)) return this.groups;
    return [...this.inside.values()].find((list) => list.includes(name)) ?? assert.fail(name);
  }

  take(name: string): void {
    const list = this.listOf(name);
    list.splice(list.indexOf(name), 1);
  }

  get tree(): Record<string, string[]> {
    return { groups: this.groups, ...Object.fromEntries(this.inside) };
  }
}

test('after any sequence of creates, moves and deletes every list is without gaps and in the order asked for', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 5, maxLength: 25 }), async (steps) => {
      const owner = await emptyOwner();
      const model = new Model();
      const make = async (name: string, parent: Id | null) => {
        model.ids.set(name, (await categories.create(owner, { name, parent, metadata: null })).row.id);
      };
      for (const [number, { does, at, to, position }] of steps.entries()) {
        const name = `c${number}`;
        const group = model.groups[at % model.groups.length];
        const picked = model.everything[at % model.everything.length];
        if (does === 'group' || group === undefined || picked === undefined) {
          await make(name, null);
          model.groups.push(name);
          model.inside.set(name, []);
        } else if (does === 'create') {
          await make(name, model.idOf(group));
          model.inside.get(group)?.push(name);
        } else if (does === 'delete') {
          await categories.delete(owner, model.idOf(picked), { cascade: true, reassignTarget: null });
          model.take(picked);
          model.inside.delete(picked);
        } else {
          const target = model.inside.has(picked) ? null : (model.groups[to % model.groups.length] ?? '');
          const parent = target === null ? null : model.idOf(target);
          const list = target === null ? model.groups : (model.inside.get(target) ?? []);
          await categories.update(owner, model.idOf(picked), {
            parent,
            ...(position === null ? {} : { position }),
          });
          if (position === null && list.includes(picked)) continue;
          model.take(picked);
          list.splice(Math.min(position ?? list.length, list.length), 0, picked);
        }
      }
      assert.deepEqual(await treeOf(owner), model.tree);
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
        ? categories.delete(owner, row.id, { cascade: false, reassignTarget: null })
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
