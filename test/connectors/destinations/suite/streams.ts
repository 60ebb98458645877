import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { pending, posted } from '../../../features/sync-engine/support/bank.ts';
import { addedInAll, requireRows, resync, rowOf, run } from './checks.ts';
import type { SuiteMember, SuiteScene } from './suite-scene.ts';
import { TEXTS } from './texts.ts';

const rowsOf = (count: number, first = 1) =>
  Array.from({ length: count }, (_, at) => posted(first + at, { day: 49 }));
const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);
const withPending = { options: { include_pending: true } };

const CURRENCIES = [
  { currency: 'jpy', amount: -1234, decimal: '-1234' },
  { currency: 'kwd', amount: 5, decimal: '0.005' },
  { currency: 'aud', amount: 999_999_999_999, decimal: '9999999999.99' },
  { currency: 'usd', amount: -1, decimal: '-0.01' },
] as const;

/** A scene with one account of these rows, and a sync of it that has run once. */
async function delivered(member: SuiteMember, count: number, more: Parameters<SuiteScene['sync']>[1] = {}) {
  const scene = await member.open();
  const account = scene.world.account();
  scene.world.bank.accounts.set(account, rowsOf(count));
  const sync = await scene.sync([account], more);
  const first = await run(scene, sync);
  const bank = (...rows: ReturnType<typeof rowsOf>) => scene.world.bank.accounts.set(account, rows);
  return { scene, account, sync, first, bank };
}

/** What rows become at a destination, whichever it is. */
export function describeStreams(member: SuiteMember): void {
  describe(`rows on their way to ${member.name}`, () => {
    test('each are there once, and a second run with nothing new asks at most once and writes nothing', async () => {
      const { scene, sync, first } = await delivered(member, 250);
      await using _ = scene;
      requireRows(scene, idsOf(rowsOf(250)));
      assert.deepEqual([first.added, first.updated, first.rejected], [250, 0, 0]);
      const before = scene.requests();
      const second = await run(scene, sync);
      assert.deepEqual([second.added, second.updated], [0, 0]);
      assert.ok(scene.requests() - before <= 1, `${scene.requests() - before} requests`);
    });

    test('of several accounts are there together', async () => {
      await using scene = await member.open();
      const accounts = [1, 101, 201].map((first) => {
        const account = scene.world.account();
        scene.world.bank.accounts.set(account, rowsOf(40, first));
        return account;
      });
      const sync = await scene.sync(accounts);
      assert.equal((await run(scene, sync)).added, 120);
      requireRows(scene, idsOf([...rowsOf(40), ...rowsOf(40, 101), ...rowsOf(40, 201)]));
    });

    test('that changed are changed there', async () => {
      const { scene, sync, bank } = await delivered(member, 30);
      await using _ = scene;
      const changed = posted(7, { day: 49, cents: 12_345, description: 'corrected' });
      bank(...rowsOf(31).map((row) => (row.id === changed.id ? changed : row)));
      const second = await run(scene, sync);
      assert.deepEqual([second.added, second.updated], [1, 1]);
      requireRows(scene, idsOf(rowsOf(31)));
      assert.deepEqual(rowOf(member, scene, changed.id), {
        amount: '123.45',
        text: 'corrected',
        status: 'posted',
      });
    });

    test('that a similar row replaced are there next to it once the bank lists both', async () => {
      const { scene, sync, bank } = await delivered(member, 5);
      await using _ = scene;
      const [, , row = assert.fail()] = rowsOf(5);
      const others = rowsOf(5).filter(({ id }) => id !== row.id);
      const alike = (name: string) => ({ ...row, id: `${row.id}${name}` });
      for (const names of [
        ['a'],
        ['', 'a'],
        ['b', 'a'],
        ['', 'b', 'a'],
        ['c', 'b', 'a'],
        ['', 'c', 'b', 'a'],
      ]) {
        bank(...others, ...names.map(alike));
        await run(scene, sync);
        assert.equal(scene.rows().length, 4 + names.length, `${names.length} alike`);
      }
      bank(...others, ...['', 'c', 'b', 'a'].map((name) => ({ ...alike(name), description: `now ${name}` })));
      await run(scene, sync);
      const texts = scene.rows().map((shown) => member.shown(shown).text);
      const changed = texts.filter((text) => text.startsWith('now')).map((text) => text.trim());
      assert.deepEqual(changed.toSorted(), ['now', 'now a', 'now b', 'now c']);
    });

    test('that were pending give way to the posted ones, and those that vanish are removed', async () => {
      const { scene, sync, bank } = await delivered(member, 3, withPending);
      await using _ = scene;
      const [posts, vanishes] = [pending(1, { day: 48, cents: -500 }), pending(2, { day: 48, cents: -600 })];
      bank(...rowsOf(3), posts, vanishes);
      assert.equal((await run(scene, sync)).added, 2);
      assert.equal(rowOf(member, scene, posts.id).status, 'pending');
      const settled = posted(50, { day: 49, cents: -500 });
      bank(...rowsOf(3), settled);
      const third = await run(scene, sync);
      assert.deepEqual([third.added, third.updated], [0, 2]);
      requireRows(scene, idsOf([...rowsOf(3), settled]));
      assert.equal(rowOf(member, scene, settled.id).status, 'posted');
    });

    test('that are pending twice alike are told apart', async () => {
      const { scene, sync, bank } = await delivered(member, 1, withPending);
      await using _ = scene;
      const twins = [pending(1, { day: 48, cents: -500 }), pending(2, { day: 48, cents: -500 })];
      bank(...rowsOf(1), ...twins);
      assert.equal((await run(scene, sync)).added, 2);
      const settled = posted(50, { day: 49, cents: -500 });
      bank(...rowsOf(1), ...twins.slice(1), settled);
      assert.equal((await run(scene, sync)).added, 0);
      assert.equal(scene.rows().length, 3);
      bank(...rowsOf(1), settled, posted(51, { day: 49, cents: -500 }));
      assert.equal((await run(scene, sync)).added, 0);
      requireRows(scene, idsOf([...rowsOf(1), settled, posted(51)]));
    });

    test('that was there are there once after a resync, with what the bank says now', async () => {
      const { scene, sync, bank } = await delivered(member, 120);
      await using _ = scene;
      const changed = posted(7, { day: 49, cents: 777 });
      bank(...rowsOf(125).map((row) => (row.id === changed.id ? changed : row)));
      await resync(scene, sync);
      const again = await run(scene, sync);
      requireRows(scene, idsOf(rowsOf(125)));
      assert.equal(rowOf(member, scene, changed.id).amount, '7.77');
      assert.deepEqual([again.added, again.updated], member.recognises ? [5, 1] : [5, 120]);
    });

    test('are there once after a restore of a database from before they were delivered', async () => {
      const { scene, sync } = await delivered(member, 120);
      await using _ = scene;
      await sql`delete from delivery_ledger where stream in
        (select id from delivery_streams where sync = ${sync.id})`.execute(scene.world.database.db);
      await sql`update delivery_streams set cursor = null where sync = ${sync.id}`.execute(
        scene.world.database.db,
      );
      const again = await run(scene, sync);
      requireRows(scene, idsOf(rowsOf(120)));
      assert.equal(again.added, member.recognises ? 0 : 120);
    });

    test(`are there once also when there are ${member.manyRows}`, async () => {
      const { scene, first } = await delivered(member, member.manyRows);
      await using _ = scene;
      assert.equal(first.added, member.manyRows);
      requireRows(scene, idsOf(rowsOf(member.manyRows)));
    });

    test('keep their text, whatever it looks like', async () => {
      await using scene = await member.open();
      const account = scene.world.account();
      const texts = Object.values(TEXTS);
      const rows = texts.map((description, at) => posted(at + 1, { day: 49, description }));
      scene.world.bank.accounts.set(account, rows);
      const sync = await scene.sync([account]);
      assert.equal((await run(scene, sync)).added, texts.length);
      const names = Object.keys(TEXTS);
      for (const [at, given] of texts.entries()) {
        const { text } = rowOf(member, scene, rows[at]?.id ?? '');
        assert.ok(text === member.text(given), `${names[at]}: ${JSON.stringify(text.slice(0, 100))}`);
      }
      assert.equal((await run(scene, sync)).updated, 0);
    });

    const { oneCurrency } = member;
    const taken = CURRENCIES.filter(
      ({ currency }) => oneCurrency === undefined || currency === oneCurrency.code,
    );
    const others = oneCurrency === undefined ? '' : `; those of another are rejected: ${oneCurrency.because}`;
    test(`keep their amounts to the digit, in currencies with no, two and three places${others}`, async () => {
      await using scene = await member.open();
      const account = scene.world.account();
      const rows = CURRENCIES.map(({ currency, amount, decimal }, at) =>
        posted(at + 1, { day: 49, amount: { amount, currency }, amount_decimal: decimal }),
      );
      scene.world.bank.accounts.set(account, rows);
      const sync = await scene.sync([account]);
      const { added, rejected } = await run(scene, sync);
      assert.deepEqual([added, rejected], [taken.length, CURRENCIES.length - taken.length]);
      const shown = rows.filter(({ amount }) => taken.some(({ currency }) => currency === amount.currency));
      requireRows(scene, idsOf(shown));
      assert.deepEqual(
        shown.map(({ id }) => rowOf(member, scene, id).amount),
        taken.map(({ decimal }) => decimal),
      );
    });

    test('that the destination refuses are rejected alone', async (t) => {
      await using scene = await member.open();
      if (scene.refuse === undefined) return t.skip('it refuses no row alone');
      const account = scene.world.account();
      scene.world.bank.accounts.set(account, rowsOf(60));
      const refused = [posted(3).id, posted(58).id];
      for (const id of refused) scene.refuse(id);
      const first = await run(scene, await scene.sync([account]));
      assert.deepEqual([first.added, first.rejected], [58, 2]);
      requireRows(
        scene,
        idsOf(rowsOf(60)).filter((id) => !refused.includes(id)),
      );
    });

    test('that a person deleted stay away until a resync', async (t) => {
      const { scene, sync, bank } = await delivered(member, 20);
      await using _ = scene;
      if (scene.deleteRow === undefined) return t.skip('nobody can delete a row there');
      scene.deleteRow(posted(5).id);
      bank(...rowsOf(21));
      assert.equal((await run(scene, sync)).added, 1);
      requireRows(
        scene,
        idsOf(rowsOf(21)).filter((id) => id !== posted(5).id),
      );
      await resync(scene, sync);
      await run(scene, sync);
      requireRows(scene, idsOf(rowsOf(21)));
    });

    if (member.onePlace !== undefined) {
      test(`are in one place, and a sync with places is refused: ${member.onePlace}`, async () => {
        await using scene = await member.open();
        const accounts = [scene.world.account()];
        await assert.rejects(
          scene.sync(accounts, { mappingMode: 'per_account' }),
          ({ code, message }) => code === 'parameter_invalid' && message.includes('mapping_mode'),
        );
      });
      return;
    }

    test('move to the place that a new mapping gives their account', async () => {
      await using scene = await member.open();
      const account = scene.world.account();
      scene.world.bank.accounts.set(account, rowsOf(30));
      const place = scene.place ?? assert.fail('there are places, or a reason why not');
      const accountMappings = [place(account, 'first')];
      const sync = await scene.sync([account], { mappingMode: 'per_account', accountMappings });
      await run(scene, sync);
      const before = new Set(scene.rows().map(({ place }) => place));
      await scene.world.syncs.update(scene.world.owner, sync.row.id, {
        accountMappings: [place(account, 'second')],
      });
      const moved = await run(scene, sync);
      assert.deepEqual([moved.added, moved.updated], [0, 30]);
      requireRows(scene, idsOf(rowsOf(30)));
      const after = new Set(scene.rows().map(({ place }) => place));
      assert.deepEqual([before.size, after.size], [1, 1]);
      assert.notDeepEqual(before, after);
      assert.equal(await addedInAll(scene, sync), 30);
    });
  });
}
