import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Taxonomies } from '../../../src/features/categories/taxonomies.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { FIXED_LIMITS } from '../../../src/vocabulary/limits.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';
import { importedConnection, linkBank } from '../linking/person.ts';
import { posted } from '../sync-engine/support/bank.ts';
import { named, ok, refused } from './owner-client.ts';

const PATH = '/v2/category_assignments';
const MOST = 2;
let service: TestService;
before(async () => {
  service = await startService({ LIMIT_CATEGORY_ASSIGNMENTS: String(MOST) });
});
after(() => service.close());

interface Life extends TestOwner {
  readonly account: string;
  rows(): Promise<readonly Json[]>;
  assign(transactions: readonly string[], category: string | null): Promise<Json>;
}

/** With the account that has several rows of one code in the last 30 days, which depends on the day. */
async function life(): Promise<Life> {
  const owner = await service.owner();
  const { accounts } = await importedConnection(owner, await linkBank(owner));
  const rowsOf = async (account: string): Promise<readonly Json[]> =>
    (await ok(owner.v2('GET', `/v2/transactions?account=${account}&limit=100`))).data;
  const counted = [];
  for (const { id } of accounts) counted.push({ id, most: mostAlike(await rowsOf(id)).length });
  const account = counted.toSorted((one, other) => other.most - one.most)[0]?.id ?? assert.fail('no account');
  return {
    ...owner,
    account,
    rows: () => rowsOf(account),
    assign: (transactions, category) => ok(owner.v2('POST', PATH, { account, transactions, category })),
  };
}

/** Rows with the code that most of them have. */
function mostAlike(rows: readonly Json[]): readonly Json[] {
  const coded = rows.filter(({ provider_category: code }) => code !== null);
  const groups = [...Map.groupBy(coded, (row) => row.provider_category).values()];
  return groups.toSorted((one, other) => other.length - one.length)[0] ?? [];
}

async function alike({ rows }: Life): Promise<readonly Json[]> {
  const most = mostAlike(await rows());
  assert.ok(most.length > 2, `several rows have one code, not ${most.length}`);
  return most;
}

describe('a category that is given to single transactions', () => {
  test('is theirs alone on every surface, and is taken back without a trace', async () => {
    const owner = await life();
    const [first, second, ...others] = await alike(owner);
    const coffee = await named(owner, 'Gifts & Donations');
    const ids = [first?.id, second?.id];
    const changed = await owner.assign(ids, coffee.id);
    assert.deepEqual(
      changed.transactions,
      ids.map((id) => ({ transaction: id, previous: null })),
    );
    const byId = new Map((await owner.rows()).map((row) => [row.id, row.category]));
    assert.deepEqual([byId.get(first?.id), byId.get(second?.id)], [coffee.id, coffee.id]);
    for (const { id, category } of others) assert.equal(byId.get(id), category);
    const one = await ok(owner.v2('GET', `/v2/transactions/${first?.id}?account=${owner.account}`));
    assert.equal(one.category, coffee.id);
    const { data: stored } = await ok(owner.v2('GET', PATH));
    assert.deepEqual(stored.map(({ transaction: id }: Json) => id).toSorted(), ids.toSorted());
    const undone = await owner.assign(ids, null);
    assert.deepEqual(
      undone.transactions.map(({ previous }: Json) => previous),
      [coffee.id, coffee.id],
    );
    assert.equal((await owner.rows()).find(({ id }) => id === first?.id)?.category, first?.category);
    assert.deepEqual((await ok(owner.v2('GET', PATH))).data, []);
  });

  test('is refused for a group, for what belongs to another account record, and beyond the limit [limit category_assignments]', async () => {
    const [owner, other] = [await life(), await life()];
    const ids = (await owner.rows()).map(({ id }) => id);
    const [food, coffee] = [await named(owner, 'Food'), await named(owner, 'Coffee')];
    const assign = (by: TestOwner, account: string, transactions: readonly unknown[], category: string) =>
      by.v2('POST', PATH, { account, transactions, category });
    await refused(assign(owner, owner.account, ids.slice(0, 1), food.id), 'category_is_group');
    await refused(assign(other, owner.account, ids.slice(0, 1), coffee.id), 'resource_missing');
    await refused(assign(other, other.account, ids.slice(0, 1), coffee.id), 'resource_missing', 'category');
    await owner.assign(ids.slice(0, MOST), coffee.id);
    await owner.assign(ids.slice(0, MOST), coffee.id);
    await refused(assign(owner, owner.account, ids.slice(MOST, MOST + 1), coffee.id), 'parameter_invalid');
    await refused(assign(owner, owner.account, ['txn_'], coffee.id), 'parameter_invalid', 'transactions[0]');
    assert.deepEqual((await ok(other.v2('GET', PATH))).data, []);
  });

  test('is given to as many transactions as one request may name [limit assigned_transactions]', async () => {
    const owner = await life();
    const coffee = await named(owner, 'Coffee');
    const most = FIXED_LIMITS.assigned_transactions;
    const assign = (count: number) => {
      const transactions = Array.from({ length: count }, (_, at) => `txn_fk_${at}`);
      return owner.v2('POST', PATH, { account: owner.account, transactions, category: coffee.id });
    };
    await refused(assign(most + 1), 'parameter_invalid', 'transactions');
    // As far as the limit of the account record, which is lower here.
    await refused(assign(most), 'parameter_invalid');
  });

  test('is deleted with the category', async () => {
    const owner = await life();
    const [first, second] = await alike(owner);
    const [coffee, gifts] = [await named(owner, 'Coffee'), await named(owner, 'Gifts & Donations')];
    await owner.assign([first?.id], coffee.id);
    await owner.assign([second?.id], gifts.id);
    await ok(owner.v2('DELETE', `/v2/categories/${coffee.id}`));
    assert.notEqual((await owner.rows()).find(({ id }) => id === first?.id)?.category, coffee.id);
    assert.deepEqual(
      (await ok(owner.v2('GET', PATH))).data.map(({ transaction: id }: Json) => id),
      [second?.id],
    );
  });

  test('stays with a row whose provider gives it another id', async () => {
    const owner = await life();
    const [first] = await alike(owner);
    const coffee = await named(owner, 'Coffee');
    await owner.assign([first?.id], coffee.id);
    const { database, notices } = service.app;
    const taxonomies = new Taxonomies({ db: database.db, clock: systemClock, notices });
    const { categoryOf, categoryNameOf } = await taxonomies.of(owner.record.id);
    const moved = posted(1, { id: 'txn_fk_new', former_ids: [first?.id] });
    assert.deepEqual([categoryOf(moved), categoryNameOf(moved)], [coffee.id, 'Coffee']);
    assert.equal(
      categoryOf(posted(1, { id: 'txn_fk_new', provider_category: null, primary_category: null })),
      null,
    );
  });
});
