import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Taxonomies } from '../../../src/features/categories/taxonomies.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';
import { importedConnection, linkBank, until } from '../linking/person.ts';
import { posted } from '../sync-engine/support/bank.ts';
import { Receiver } from '../sync-engine/support/receiver.ts';
import { create, listed, named, ok, path, refused } from './owner-client.ts';

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.close());

describe('claims', () => {
  test('are replaced as a set; what others lose is reported', async () => {
    const owner = await service.owner();
    const [coffee, food] = [await named(owner, 'Coffee'), await named(owner, 'Other Food & Drink')];
    const eating = await named(owner, 'Eating Out');
    const sources = [
      'FOOD_AND_DRINK_FAST_FOOD',
      'FOOD_AND_DRINK',
      'FOOD_AND_DRINK',
      'FOOD_AND_DRINK_RESTAURANT',
    ];
    const claimed = await ok(owner.v2('POST', `${path}/${coffee.id}/sources`, { sources }));
    const { released_from, ...category } = claimed;
    assert.deepEqual(released_from, [
      { category: eating.id, sources: ['FOOD_AND_DRINK_FAST_FOOD', 'FOOD_AND_DRINK_RESTAURANT'] },
      { category: food.id, sources: ['FOOD_AND_DRINK'] },
    ]);
    assert.deepEqual(category, await named(owner, 'Coffee'));
    assert.deepEqual(category.sources, [...new Set(sources)].toSorted());
    assert.deepEqual((await named(owner, 'Eating Out')).sources, []);
    const again = await ok(owner.v2('POST', `${path}/${coffee.id}/sources`, { sources }));
    assert.deepEqual([again.sources, again.released_from], [category.sources, []]);
    const all = (await listed(owner)).flatMap((one) => one.sources);
    assert.deepEqual(all.toSorted(), [...new Set(all)].toSorted());
    assert.ok(!all.includes('FOOD_AND_DRINK_COFFEE'), 'what is no longer claimed is free');
  });

  test('are refused to groups and for codes there are not', async () => {
    const owner = await service.owner();
    const [food, coffee] = [await named(owner, 'Food'), await named(owner, 'Coffee')];
    const claim = (id: string, sources: unknown) => owner.v2('POST', `${path}/${id}/sources`, { sources });
    await refused(claim(food.id, ['INCOME']), 'category_is_group');
    await refused(claim(food.id, []), 'category_is_group');
    await refused(claim(coffee.id, ['INCOME', 'COFFEE']), 'parameter_invalid', 'sources[1]');
    await refused(claim(coffee.id, ['income']), 'parameter_invalid', 'sources[0]');
    await refused(owner.v2('POST', `${path}/${coffee.id}/sources`, {}), 'parameter_missing', 'sources');
    assert.deepEqual(await named(owner, 'Coffee'), coffee);
  });

  test('have one claimant each, however many claim them at the same moment', async () => {
    const owner = await service.owner();
    const rivals = (await listed(owner)).filter(({ parent }) => parent !== null).slice(0, 6);
    await Promise.all(
      rivals.map(({ id }) =>
        ok(owner.v2('POST', `${path}/${id}/sources`, { sources: ['TRAVEL', 'INCOME'] })),
      ),
    );
    const claimants = (await listed(owner)).filter(({ sources }) => sources.includes('TRAVEL'));
    assert.equal(claimants.length, 1);
    assert.deepEqual(claimants[0].sources, ['INCOME', 'TRAVEL']);
  });
});

describe('deleting', () => {
  test('a category frees its codes, or gives them to another', async () => {
    const owner = await service.owner();
    const [coffee, salary, alcohol] = [
      await named(owner, 'Coffee'),
      await named(owner, 'Salary'),
      await named(owner, 'Alcohol'),
    ];
    const deleted = await ok(owner.v2('DELETE', `${path}/${coffee.id}`));
    assert.deepEqual(deleted, { id: coffee.id, object: 'category', deleted: true });
    await refused(owner.v2('GET', `${path}/${coffee.id}`), 'resource_missing');
    await refused(owner.v2('DELETE', `${path}/${coffee.id}`), 'resource_missing');
    await ok(owner.v2('DELETE', `${path}/${salary.id}?reassign_to=${alcohol.id}`));
    assert.deepEqual((await named(owner, 'Alcohol')).sources, ['FOOD_AND_DRINK_ALCOHOL', 'INCOME_SALARY']);
    const all = (await listed(owner)).flatMap((one) => one.sources);
    assert.ok(!all.includes('FOOD_AND_DRINK_COFFEE'));
  });

  test('a group takes cascade=true when it is not empty, and gives away all that was claimed in it', async () => {
    const owner = await service.owner();
    const [food, travel] = [await named(owner, 'Food'), await named(owner, 'Travel')];
    const inside = await listed(owner, `?parent=${food.id}`);
    await refused(owner.v2('DELETE', `${path}/${food.id}`), 'category_has_children');
    await refused(owner.v2('DELETE', `${path}/${food.id}?cascade=false`), 'category_has_children');
    await ok(owner.v2('DELETE', `${path}/${food.id}?cascade=true&reassign_to=${travel.id}`));
    const claimed = inside.flatMap(({ sources }) => sources);
    assert.deepEqual((await named(owner, 'Travel')).sources, [...claimed, 'TRAVEL'].toSorted());
    for (const { id } of [food, ...inside]) {
      await refused(owner.v2('GET', `${path}/${id}`), 'resource_missing');
    }
    const empty = await create(owner, { name: 'Empty' });
    await ok(owner.v2('DELETE', `${path}/${empty.id}`));
  });

  test('refuses to reassign rows to a category that cannot take them, and then deletes nothing', async () => {
    const owner = await service.owner();
    const [food, coffee] = [await named(owner, 'Food'), await named(owner, 'Coffee')];
    const housing = await named(owner, 'Housing');
    const before = await listed(owner);
    const remove = (id: string, query: string) => owner.v2('DELETE', `${path}/${id}?${query}`);
    const param = 'reassign_to';
    await refused(remove(coffee.id, `reassign_to=${coffee.id}`), 'parameter_invalid', param);
    await refused(remove(coffee.id, `reassign_to=${housing.id}`), 'category_is_group', param);
    await refused(remove(food.id, `cascade=true&reassign_to=${coffee.id}`), 'parameter_invalid', param);
    await refused(remove(food.id, `cascade=true&reassign_to=${food.id}`), 'parameter_invalid', param);
    await refused(remove(coffee.id, 'reassign_to=cat_nothing'), 'resource_missing', param);
    assert.deepEqual(await listed(owner), before);
  });
});

describe('rows of a linked bank', () => {
  let owner: TestOwner;
  let accounts: string[];
  before(async () => {
    owner = await service.owner();
    const connection = await importedConnection(owner, await linkBank(owner));
    accounts = connection.accounts.map((account: Json) => account.id);
  });

  const claim = (category: Json, sources: readonly string[]) =>
    ok(owner.v2('POST', `${path}/${category.id}/sources`, { sources }));
  const rowsOf = async (account: string): Promise<Json[]> =>
    (await ok(owner.v2('GET', `/v2/transactions?account=${account}&limit=100`))).data;

  /** The category of a row by docs/categories.md, from what the other operations show. */
  async function claimants(): Promise<(row: Json) => string | null> {
    const { data } = await ok(owner.v2('GET', '/v2/provider_categories'));
    const parents = new Map<string, string>(data.map((one: Json) => [one.code, one.parent]));
    const claims = new Map<string, string>(
      (await listed(owner)).flatMap(({ id, sources }) => sources.map((code: string) => [code, id])),
    );
    return ({ provider_category: code }) => claims.get(code) ?? claims.get(parents.get(code) ?? '') ?? null;
  }

  test('carry the category that claims their code, and another as soon as it is claimed by another', async () => {
    const shown = (await Promise.all(accounts.map(rowsOf))).flat();
    const expected = await claimants();
    assert.ok(shown.filter(({ category }) => category !== null).length > 20);
    for (const row of shown) assert.equal(row.category, expected(row), row.provider_category);

    const row = shown.find(({ provider_category }) => provider_category === 'FOOD_AND_DRINK_GROCERIES');
    assert.ok(row !== undefined);
    const single = async () =>
      (await ok(owner.v2('GET', `/v2/transactions/${row.id}?account=${row.account}`))).category;
    assert.equal(await single(), (await named(owner, 'Groceries')).id);
    const mine = await create(owner, { name: 'Supermarket', parent: (await named(owner, 'Food')).id });
    const inList = async () => (await rowsOf(row.account)).find(({ id }) => id === row.id).category;
    await claim(mine, ['FOOD_AND_DRINK_GROCERIES']);
    assert.deepEqual([await inList(), await single()], [mine.id, mine.id]);
    await ok(owner.v2('POST', `${path}/${mine.id}`, { archived: true }));
    assert.equal(await inList(), mine.id, 'archived ones keep what they claim');
    await ok(owner.v2('DELETE', `${path}/${mine.id}`));
    const primary = await named(owner, 'Other Food & Drink');
    assert.deepEqual([await inList(), await single()], [primary.id, primary.id]);
    await claim(primary, []);
    assert.deepEqual([await inList(), await single()], [null, null]);
    await ok(owner.v2('POST', `${path}/reset`, { confirm: true }));
    assert.equal(await inList(), (await named(owner, 'Groceries')).id);
  });

  test('are shown by one function for as long as nothing changes, and another process is notified of a change', async () => {
    const { database, notices } = service.app;
    const elsewhere = new Taxonomies({ db: database.db, clock: systemClock, notices });
    // Word of a change may be heard again a moment later, and then the same is read again.
    const settled = async () => {
      for (let last = await elsewhere.of(owner.record.id); ; ) {
        await new Promise((resolve) => setTimeout(resolve, 200));
        const next = await elsewhere.of(owner.record.id);
        if (next === last) return next;
        last = next;
      }
    };
    const known = await settled();
    assert.equal(await elsewhere.of(owner.record.id), known);
    const salary = await named(owner, 'Salary');
    await ok(owner.v2('POST', `${path}/${salary.id}`, { name: 'Wages' }));
    assert.notEqual(await elsewhere.of(owner.record.id), known);
    const changed = await settled();
    const row = posted(1, { provider_category: 'INCOME_SALARY', primary_category: 'INCOME' });
    assert.deepEqual([known.categoryNameOf(row), changed.categoryNameOf(row)], ['Salary', 'Wages']);
    const other = await service.owner();
    await create(other, { name: 'x' });
    assert.equal(await elsewhere.of(owner.record.id), changed);
  });

  test("carry the category's name into a sync that asks for it, and come again when it has another", async () => {
    const receiver = await new Receiver().open();
    try {
      const target = { url: receiver.url };
      const destination = await ok(
        owner.v2('POST', '/v2/destinations', { type: 'webhook', name: 'Receiver', target }),
      );
      receiver.secrets = [destination.config.signing_secret];
      const created = await owner.v2('POST', '/v2/syncs', {
        type: 'transactions',
        name: 'Named',
        destination: destination.id,
        accounts,
        mapping_mode: 'bulk',
        options: { custom_categories: true },
      });
      assert.equal(created.status, 201, JSON.stringify(created.body));
      const sync = `/v2/syncs/${created.body.id}`;
      const finished = async (run: Json): Promise<Json> =>
        until(
          async () => (await owner.v2('GET', `/v2/sync_runs/${run.id}`)).body,
          ({ completed_at }) => completed_at !== null,
        );
      const again = async (): Promise<Json> => finished((await owner.v2('POST', `${sync}/run`)).body);
      assert.equal((await finished(created.body.latest_run)).status, 'succeeded');

      const taxonomy = await listed(owner);
      const names = new Map(taxonomy.map(({ id, name }) => [id, name]));
      const recent = (await Promise.all(accounts.map(rowsOf)))
        .flat()
        .filter(({ status }) => status === 'posted');
      assert.ok(recent.length > 20);
      for (const { id, category } of recent) {
        assert.equal(receiver.rows().get(id)?.custom_category, names.get(category) ?? null);
      }
      assert.equal((await again()).counts.updated, 0);

      const groceries = await named(owner, 'Groceries');
      await ok(owner.v2('POST', `${path}/${groceries.id}`, { name: 'Vittles' }));
      const renamed = await again();
      const { data } = receiver.events.at(-1) ?? assert.fail('nothing was sent');
      assert.ok(renamed.counts.updated > 0 && renamed.counts.added === 0);
      assert.deepEqual(new Set(data.updated.map((row) => row.custom_category)), new Set(['Vittles']));

      await ok(owner.v2('POST', sync, { options: { custom_categories: false } }));
      await again();
      const { updated } = receiver.events.at(-1)?.data ?? { updated: [] };
      assert.ok(updated.length >= renamed.counts.updated);
      assert.deepEqual(new Set(updated.map((row) => row.custom_category)), new Set([null]));
      assert.deepEqual(receiver.faults, []);
    } finally {
      await receiver.close();
    }
  });
});
