import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RowId } from '../../../../src/vocabulary/ids.ts';
import type { Transaction } from '../../../../src/vocabulary/transactions.ts';
import { pending, posted } from '../../../features/sync-engine/support/bank.ts';
import { problemsOf, verified } from '../../../features/sync-engine/support/verification.ts';
import { resync, run } from './checks.ts';
import type { SuiteMember, SuiteScene } from './suite-scene.ts';

/** The same id, and for each account another text. */
const rowsOf = (name: string, count: number, first = 1): Transaction[] =>
  Array.from({ length: count }, (_, at) =>
    posted(first + at, { day: 49, description: `${name} ${first + at}` }),
  );

/** The source id in what is there. */
const plainId = (text: string): string => text.slice(text.indexOf('/') + 1);

function shownTexts(member: SuiteMember, scene: SuiteScene): readonly string[] {
  return scene
    .rows()
    .map((row) => `${plainId(row.id)} ${member.shown(row).text}`)
    .toSorted();
}

const expected = (...rows: readonly Transaction[]): readonly string[] =>
  rows.map(({ id, description }) => `${id} ${description}`).toSorted();

interface Joint {
  readonly scene: SuiteScene;
  readonly accounts: readonly [RowId<'account'>, RowId<'account'>];
  bank(first: readonly Transaction[], second: readonly Transaction[]): void;
}

async function joint(member: SuiteMember): Promise<Joint> {
  const scene = await member.open();
  const accounts = [scene.world.account(), scene.world.account()] as const;
  const bank: Joint['bank'] = (first, second) => {
    scene.world.bank.accounts.set(accounts[0], [...first]);
    scene.world.bank.accounts.set(accounts[1], [...second]);
  };
  return { scene, accounts, bank };
}

async function requireVerified({ scene }: Joint, sync: Parameters<typeof run>[1], count: number) {
  if (scene.verified === undefined) return;
  scene.world.clock.advance(60_000);
  const said = await verified(scene.world, sync);
  assert.deepEqual(problemsOf(said), []);
  assert.deepEqual([said.counts.destination, said.counts.alike, said.counts.others], [count, count, 0]);
}

/** A joint account that both partners linked: two accounts whose rows have the same ids. */
export function describeJointAccounts(member: SuiteMember): void {
  describe(`two accounts whose rows have the same ids, at ${member.name}`, () => {
    test('have all rows of both there, whatever happens to them', async () => {
      const one = await joint(member);
      const { scene, accounts, bank } = one;
      await using _ = scene;
      bank(rowsOf('a', 12), rowsOf('b', 12));
      const sync = await scene.sync([...accounts], { options: { include_pending: true } });
      const first = await run(scene, sync);
      assert.deepEqual([first.added, first.updated, first.rejected], [24, 0, 0]);
      const both = [...rowsOf('a', 12), ...rowsOf('b', 12)];
      assert.deepEqual(shownTexts(member, scene), expected(...both));
      await requireVerified(one, sync, 24);

      const second = await run(scene, sync);
      assert.deepEqual([second.added, second.updated], [0, 0]);

      const [a, b] = [
        posted(3, { day: 49, description: 'a other' }),
        posted(4, { day: 49, description: 'b other' }),
      ];
      const changed = (rows: Transaction[], row: Transaction) =>
        rows.map((one) => (one.id === row.id ? row : one));
      const waits = [
        pending(1, { day: 48, description: 'a waits' }),
        pending(1, { day: 48, description: 'b waits' }),
      ] as const;
      bank([...changed(rowsOf('a', 12), a), waits[0]], [...changed(rowsOf('b', 12), b), waits[1]]);
      const third = await run(scene, sync);
      assert.deepEqual([third.added, third.updated], [2, 2]);
      const later = [...changed(rowsOf('a', 12), a), ...changed(rowsOf('b', 12), b)];
      assert.deepEqual(shownTexts(member, scene), expected(...later, ...waits));

      const settled = posted(50, { day: 49, cents: -101, description: 'a settled' });
      bank([...changed(rowsOf('a', 12), a), settled], changed(rowsOf('b', 12), b));
      await run(scene, sync);
      assert.deepEqual(shownTexts(member, scene), expected(...later, settled));
      await requireVerified(one, sync, 25);

      await resync(scene, sync);
      const again = await run(scene, sync);
      assert.deepEqual(shownTexts(member, scene), expected(...later, settled));
      if (member.recognises) assert.deepEqual([again.added, again.updated], [0, 0]);
      await requireVerified(one, sync, 25);
      assert.deepEqual((await run(scene, sync)).updated, 0);
    });

    test('have all rows there when one of them is added to the sync later and read first', async () => {
      const one = await joint(member);
      const { scene, accounts, bank } = one;
      await using _ = scene;
      bank(rowsOf('a', 6), rowsOf('b', 6));
      const sync = await scene.sync([accounts[1]]);
      await run(scene, sync);
      const { place } = scene;
      const needsPlaces = sync.row.account_mappings.length > 0 && place !== undefined;
      const accountMappings = needsPlaces ? accounts.map((account) => place(account, 'first')) : [];
      await scene.world.syncs.update(scene.world.owner, sync.row.id, {
        accounts: [...accounts],
        ...(needsPlaces ? { accountMappings } : {}),
      });
      assert.equal((await run(scene, sync)).added, 6);
      const both = [...rowsOf('a', 6), ...rowsOf('b', 6)];
      assert.deepEqual(shownTexts(member, scene), expected(...both));
      await requireVerified(one, sync, 12);
      await resync(scene, sync);
      await run(scene, sync);
      assert.deepEqual(shownTexts(member, scene), expected(...both));
      await requireVerified(one, sync, 12);
    });

    test('leave the row of one alone when the bank withdraws the row of the other', async () => {
      const { scene, accounts, bank } = await joint(member);
      await using _ = scene;
      const waits = (name: string) => pending(7, { day: 49, description: `${name} waits` });
      bank([...rowsOf('a', 2), waits('a')], [...rowsOf('b', 2), waits('b')]);
      const sync = await scene.sync([...accounts], { options: { include_pending: true } });
      await run(scene, sync);
      bank(rowsOf('a', 2), [...rowsOf('b', 2), waits('b')]);
      await run(scene, sync);
      assert.deepEqual(shownTexts(member, scene), expected(...rowsOf('a', 2), ...rowsOf('b', 2), waits('b')));
    });

    test('stay as they are where a person gave both the plain id', async (t) => {
      const one = await joint(member);
      const { scene, accounts, bank } = one;
      await using _ = scene;
      const { plainIds } = scene;
      if (plainIds === undefined) return t.skip('it never had two rows with one id');
      bank(rowsOf('a', 6), rowsOf('b', 6));
      const sync = await scene.sync([...accounts]);
      await run(scene, sync);
      await plainIds();
      await requireVerified(one, sync, 12);
      const changed = rowsOf('a', 6).map((row) => ({ ...row, description: `${row.description} changed` }));
      bank(changed, rowsOf('b', 6));
      const second = await run(scene, sync);
      assert.deepEqual([second.added, second.updated], [0, 6]);
      assert.deepEqual(shownTexts(member, scene), expected(...changed, ...rowsOf('b', 6)));
      await plainIds();
      await resync(scene, sync);
      assert.equal((await run(scene, sync)).added, 0);
      assert.deepEqual(shownTexts(member, scene), expected(...changed, ...rowsOf('b', 6)));
      await requireVerified(one, sync, 12);
    });

    test('come back with a resync where a person deleted those of one', async (t) => {
      const one = await joint(member);
      const { scene, accounts, bank } = one;
      await using _ = scene;
      const { deleteRow } = scene;
      const [id = '', ...rest] = rowsOf('b', 3).map((row) => row.id);
      if (deleteRow === undefined || scene.rows === undefined) return t.skip('nobody can delete a row there');
      bank(rowsOf('a', 3), rowsOf('b', 3));
      const sync = await scene.sync([...accounts]);
      await run(scene, sync);
      const qualified = scene.rows().filter((row) => row.id.includes('/'));
      if (qualified.length === 0) return t.skip('no row has its account in its id');
      for (const row of qualified) deleteRow(row.id);
      scene.world.clock.advance(60_000);
      const said = await verified(scene.world, sync);
      assert.deepEqual(
        problemsOf(said),
        [id, ...rest].map((one) => ['removed_there', one]),
      );
      await resync(scene, sync);
      assert.equal((await run(scene, sync)).added, 3);
      assert.deepEqual(shownTexts(member, scene), expected(...rowsOf('a', 3), ...rowsOf('b', 3)));
      await requireVerified(one, sync, 6);
    });

    test('are found twice by a verification where someone copied one', async (t) => {
      const one = await joint(member);
      const { scene, accounts, bank } = one;
      await using _ = scene;
      const copy = scene.verified?.copy;
      if (copy === undefined) return t.skip('no row is there twice');
      bank(rowsOf('a', 3), rowsOf('b', 3));
      const sync = await scene.sync([...accounts]);
      await run(scene, sync);
      const [plain, qualified] = scene
        .rows()
        .filter(({ id }) => plainId(id) === posted(2).id)
        .toSorted((x, y) => x.id.length - y.id.length);
      for (const row of [plain, qualified]) copy(row?.id ?? assert.fail());
      scene.world.clock.advance(60_000);
      const said = await verified(scene.world, sync);
      assert.deepEqual(
        said.problems.map(({ reason, account, id }) => [reason, account, id]).toSorted(),
        accounts.map((account) => ['stands_twice', account, posted(2).id]).toSorted(),
      );
    });
  });
}
