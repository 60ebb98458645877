import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Sync } from '../../../../src/features/syncs/syncs.ts';
import type { RowId } from '../../../../src/vocabulary/ids.ts';
import { pending, posted } from '../../../features/sync-engine/support/bank.ts';
import { stored } from '../../../features/sync-engine/support/dry-run.ts';
import { problemsOf, verified } from '../../../features/sync-engine/support/verification.ts';
import { run } from './checks.ts';
import type { SuiteMember, SuiteScene, VerifiedScene } from './suite-scene.ts';
import { TEXTS } from './texts.ts';

interface Delivered {
  readonly scene: SuiteScene & { readonly verified: VerifiedScene };
  readonly sync: Sync;
  readonly account: RowId<'account'>;
  readonly ids: readonly string[];
}

/** A sync with a history: rows of every kind of text, a correction, a removal, and pending rows that posted or did not. */
async function delivered(member: SuiteMember): Promise<Delivered> {
  const scene = await member.open();
  const { verified: parts } = scene;
  assert.ok(parts !== undefined, 'it can be read');
  const account = scene.world.account();
  const texts = Object.values(TEXTS).map((description, at) => posted(200 + at, { day: 49, description }));
  const plain = Array.from({ length: 20 }, (_, at) => posted(at + 1, { day: 49, cents: -100 * (at + 1) }));
  const [posts, vanishes, waits] = [
    pending(1, { day: 48, cents: -555 }),
    pending(2, { day: 48, cents: -666 }),
    pending(3, { day: 48, cents: -777 }),
  ];
  // A bank that shows an older row shows that a newer one is withdrawn.
  const oldest = posted(900, { day: 5 });
  const bank = (...rows: ReturnType<typeof posted>[]) =>
    scene.world.bank.accounts.set(account, [...rows, oldest]);
  bank(...plain, ...texts, posts, vanishes, waits);
  const sync = await scene.sync([account], { options: { include_pending: true } });
  await run(scene, sync);
  const changed = posted(5, { day: 49, cents: 12_345, description: 'corrected' });
  const settled = posted(50, { day: 49, cents: -555 });
  const rows = [...plain.map((row) => (row.id === changed.id ? changed : row)), ...texts, settled, waits];
  bank(...rows);
  await run(scene, sync);
  const ids = [...rows, oldest].map(({ id }) => id);
  return { scene: { ...scene, verified: parts }, sync, account, ids };
}

/** What a verification says, after it has been seen that it wrote nothing, here or there. */
async function looked({ scene, sync }: Delivered) {
  const { world, verified: parts } = scene;
  const before = { stored: await stored(world), writes: parts.writes(), rows: scene.rows() };
  // What was just written may not be found yet.
  world.clock.advance(60_000);
  const said = await verified(world, sync);
  assert.deepEqual({ stored: await stored(world), writes: parts.writes(), rows: scene.rows() }, before);
  assert.equal(said.comparedWith, 'destination');
  return said;
}

/** That a destination which can be read shows what it should, and that a verification finds what someone did there. */
export function describeVerification(member: SuiteMember): void {
  describe(`a verification of ${member.name}`, () => {
    test('finds nothing after updates, removals and pending rows that posted, and writes nothing', async () => {
      const begun = await delivered(member);
      await using _ = begun.scene;
      const said = await looked(begun);
      assert.deepEqual(said.problems, []);
      const { bank, destination, alike, others } = said.counts;
      const count = begun.ids.length;
      assert.deepEqual([bank, destination, alike, others], [count, count, count, 0]);
    });

    test('finds the row that a person edited, and what it should show', async () => {
      const begun = await delivered(member);
      await using _ = begun.scene;
      begun.scene.verified.edit(posted(7).id, 'by hand');
      const said = await looked(begun);
      assert.deepEqual(problemsOf(said), [['edited_there', posted(7).id]]);
      const [problem] = said.problems;
      assert.equal(problem?.fields.length, 1);
      const [field] = problem?.fields ?? [];
      const { found, expected } = begun.scene.verified.edited ?? {
        found: 'by hand',
        expected: posted(7).description,
      };
      assert.ok(field?.found?.includes(found));
      assert.ok(field?.expected?.includes(expected));
      assert.ok(problem?.where !== null && problem?.account === begun.account);
    });

    test('finds the row that a person deleted, until a resync', async (t) => {
      const begun = await delivered(member);
      await using _ = begun.scene;
      if (begun.scene.deleteRow === undefined) return t.skip('nobody can delete a row there');
      begun.scene.deleteRow(posted(9).id);
      assert.deepEqual(problemsOf(await looked(begun)), [['removed_there', posted(9).id]]);
    });

    test('finds the row that is there twice', async (t) => {
      const begun = await delivered(member);
      await using _ = begun.scene;
      const { copy } = begun.scene.verified;
      if (copy === undefined) return t.skip('no row is there twice');
      copy(posted(11).id);
      const said = await looked(begun);
      assert.deepEqual(problemsOf(said), [['stands_twice', posted(11).id]]);
      assert.equal(said.counts.alike, begun.ids.length);
    });

    test('leaves the rows alone that a person added', async (t) => {
      const begun = await delivered(member);
      await using _ = begun.scene;
      const { own } = begun.scene.verified;
      if (own === undefined) return t.skip('it holds no rows of a person');
      own();
      const said = await looked(begun);
      assert.deepEqual([said.problems, said.counts.others], [[], 0]);
    });

    test('says what the next run would send, change and remove', async () => {
      const begun = await delivered(member);
      await using _ = begun.scene;
      const { world } = begun.scene;
      const rows = world.bank.accounts.get(begun.account) ?? [];
      const kept = rows.filter(({ id }) => id !== posted(3).id && id !== pending(3).id);
      const settled = posted(60, { day: 49, cents: -777 });
      world.bank.accounts.set(begun.account, [
        ...kept.map((row) => (row.id === posted(4).id ? { ...row, description: 'later' } : row)),
        settled,
        posted(61, { day: 49 }),
      ]);
      const expected = [
        ['withdrawn_by_bank', posted(3).id],
        ['changed_since', posted(4).id],
        ['replaced_since', settled.id],
        ['not_delivered_yet', posted(61).id],
      ];
      assert.deepEqual(
        problemsOf(await looked(begun)),
        expected.toSorted(([, a = ''], [, b = '']) => (a < b ? -1 : 1)),
      );
    });
  });
}
