import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { milliunits } from '../../../../src/connectors/destinations/ynab/rows.ts';
import { addDays, localDate, localDateAt, monthsBefore } from '../../../../src/vocabulary/moments.ts';
import type { Transaction } from '../../../../src/vocabulary/transactions.ts';
import { pending, posted } from '../../../features/sync-engine/support/bank.ts';
import { closeDatabase } from '../../../features/sync-engine/support/world.ts';
import { Scene } from './scene.ts';

after(closeDatabase);

/** What becomes of rows that are the only ones of their account. */
async function delivered(
  rows: readonly Transaction[],
  { notBefore = 0, ...options }: Parameters<typeof Scene.open>[0] & { readonly notBefore?: number } = {},
) {
  const opened = await Scene.open(options);
  opened.world.clock.advance(Math.max(0, notBefore - opened.world.clock.now()));
  const account = opened.world.account();
  opened.world.bank.accounts.set(account, [...rows]);
  const sync = await opened.sync([account], {
    options: { data_from: localDate('2015-01-01'), include_pending: true },
  });
  const run = await opened.world.run(sync);
  return { opened, sync, run };
}

const money = (decimal: string, currency: string, minor: number) => ({
  amount: { amount: minor, currency },
  amount_decimal: decimal,
});

describe('an amount in milliunits', () => {
  const exact: readonly (readonly [string, number])[] = [
    ['0', 0],
    ['-0.00', 0],
    ['10.50', 10_500],
    ['-10.5', -10_500],
    ['+7', 7000],
    ['0.001', 1],
    ['1.2340', 1234],
    ['9007199254740.991', 9_007_199_254_740_991],
  ];
  for (const [decimal, amount] of exact) {
    test(`is exact: ${decimal}`, () => assert.equal(milliunits(decimal), amount));
  }
  for (const decimal of ['0.0001', '9007199254740.992', '1e3', '', '1.', '.5', 'NaN']) {
    test(`is refused rather than changed: "${decimal}"`, () => assert.equal(milliunits(decimal), null));
  }

  test('of a currency without decimals, and of one with three, arrives exactly', async () => {
    const yen = await delivered([posted(1, money('-1234', 'jpy', -1234))], { plan: 'Tokyo' });
    await using _ = yen.opened;
    assert.equal(yen.opened.one('row 1').amount, -1_234_000);
    const dinar = await delivered([posted(1, money('-1.005', 'kwd', -1005))], { plan: 'Kuwait' });
    await using __ = dinar.opened;
    assert.equal(dinar.opened.one('row 1').amount, -1005);
  });
});

describe('a row that YNAB cannot take', () => {
  const today = localDateAt(Date.now(), 'UTC');
  const refused: Readonly<Record<string, Transaction>> = {
    'in another currency than the plan’s': posted(2, money('-1.00', 'nzd', -100)),
    'with more than three decimals': posted(2, money('-1.0005', 'aud', -100)),
    'of the day after tomorrow': posted(2, { date: addDays(today, 2) }),
    'of more than five years ago': posted(2, { date: addDays(monthsBefore(today, 60), -1) }),
    'that is pending and has no day': pending(2, { date: null }),
  };
  // Then it is tomorrow in Sydney, and the bank is asked for days up to the one after that.
  const evening = Date.parse(`${today}T20:00:00Z`);
  for (const [what, row] of Object.entries(refused)) {
    test(`${what} is rejected alone, before anything is sent`, async () => {
      const { opened, run } = await delivered([row, posted(1)], { notBefore: evening });
      await using _ = opened;
      assert.deepEqual([run.status, run.added, run.rejected], ['succeeded', 1, 1]);
      assert.deepEqual(opened.memos(), ['row 1']);
      assert.deepEqual(opened.calls(), ['GET plans', 'GET transactions', 'POST transactions']);
    });
  }

  test('is the only one, and the run says so by failing', async () => {
    const { opened, run } = await delivered([posted(2, money('-1.00', 'nzd', -100))]);
    await using _ = opened;
    assert.deepEqual([run.status, run.failure, run.rejected], ['failed', 'run_failed', 1]);
  });

  test('of exactly five years ago is taken', async () => {
    const { opened, run } = await delivered([posted(2, { date: monthsBefore(today, 60) })]);
    await using _ = opened;
    assert.deepEqual([run.added, run.rejected], [1, 0]);
  });
});

describe('a batch that YNAB refuses', () => {
  test('is halved until the row that is wrong is alone, and all others are written', async () => {
    const rows = Array.from({ length: 60 }, (_, at) => posted(at));
    const opened = await Scene.open();
    await using _ = opened;
    opened.vendor.control.change({ refusedPayees: ['row 17', 'row 41'] });
    const account = opened.world.account();
    opened.world.bank.accounts.set(account, rows);
    const run = await opened.world.run(await opened.sync([account]));
    assert.deepEqual([run.status, run.added, run.rejected], ['succeeded', 58, 2]);
    assert.equal(opened.shown().length, 58);
    assert.ok(!opened.memos().includes('row 17'));
    const posts = opened.calls().filter((call) => call === 'POST transactions');
    assert.ok(posts.length < 30, `${posts.length}`);
  });

  test('for a day that has not begun at YNAB loses only that day’s rows, in three calls, and has them a day later', async () => {
    const opened = await Scene.open();
    await using _ = opened;
    const { world, vendor } = opened;
    // Half past eight in the evening in UTC: tomorrow has begun in Sydney.
    const evening = Math.ceil(world.clock.now() / 86_400_000) * 86_400_000 + 20.5 * 3_600_000;
    world.clock.advance(evening - world.clock.now());
    const tomorrow = localDateAt(evening + 86_400_000, 'UTC');
    vendor.control.change({ dayBeginsEarlierHours: 0 });
    const account = world.account();
    world.bank.accounts.set(account, [posted(2, { date: tomorrow }), posted(1, { day: 45 })]);
    const sync = await opened.sync([account]);
    const run = await world.run(sync);
    assert.deepEqual([run.added, run.rejected], [1, 1]);
    const posts = opened.calls().filter((call) => call === 'POST transactions');
    assert.equal(posts.length, 3, posts.join());
    world.clock.advance(86_400_000);
    assert.equal((await world.run(sync)).added, 1);
    assert.deepEqual(opened.memos(), ['row 1', 'row 2']);
  });

  test('altogether ends the run after a bounded number of calls', async () => {
    const rows = Array.from({ length: 300 }, (_, at) => posted(at));
    const opened = await Scene.open();
    await using _ = opened;
    const account = opened.world.account();
    opened.world.bank.accounts.set(account, rows);
    const sync = await opened.sync([account]);
    opened.vendor.control.addFault({ route: 'POST /v1/*', kind: 'refusal', count: 1000 });
    const run = await opened.world.run(sync);
    assert.deepEqual([run.status, run.failure, run.retryable], ['failed', 'run_failed', false]);
    assert.ok(opened.calls().length < 70);
  });
});

describe('a text', () => {
  const kept: Readonly<Record<string, string>> = {
    'that looks like a formula': '=HYPERLINK("https://x.invalid","pay")',
    'with control characters': 'a\u0001b\tc\u007fd',
    'from right to left': '\u202eקנייה \u0645\u062a\u062c\u0631',
    'with quotes and markup': `<b>"O'Neill" & Sons</b>`,
    'of surrogate pairs': '🏦'.repeat(150),
  };
  for (const [what, description] of Object.entries(kept)) {
    test(`${what} arrives exactly`, async () => {
      const { opened } = await delivered([posted(1, { description })]);
      await using _ = opened;
      const { payee, memo } = opened.one(description);
      assert.deepEqual([payee, memo], [description, description]);
    });
  }

  test('of fifty thousand characters is cut to what YNAB takes, between characters', async () => {
    const description = '🏦é'.repeat(25_000);
    const { opened, run } = await delivered([posted(1, { description })]);
    await using _ = opened;
    assert.equal(run.added, 1);
    const [{ payee, memo } = assert.fail()] = opened.shown();
    assert.deepEqual([payee, memo], ['🏦é'.repeat(100), '🏦é'.repeat(250)]);
  });

  test('that is empty arrives as none, and half a surrogate pair as a replacement character', async () => {
    const { opened } = await delivered([
      posted(1, { description: '' }),
      posted(2, { description: 'half \ud83c', cents: 5 }),
    ]);
    await using _ = opened;
    const shown = opened.shown().map(({ payee, memo }) => [payee, memo]);
    assert.deepEqual(
      new Map(shown.map(([payee, memo]) => [payee, memo])),
      new Map([
        [null, null],
        ['half \ufffd', 'half \ufffd'],
      ]),
    );
  });
});
