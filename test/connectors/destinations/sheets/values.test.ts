import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { Transaction } from '../../../../src/vocabulary/transactions.ts';
import { posted } from '../../../features/sync-engine/support/bank.ts';
import { closeDatabase } from '../../../features/sync-engine/support/world.ts';
import { Scene } from './scene.ts';

after(closeDatabase);

/** Values of the rows as the spreadsheet holds them, by id and header. */
async function written(rows: readonly Transaction[], options: Parameters<typeof Scene.open>[0] = {}) {
  const opened = await Scene.open(options);
  await using _ = opened;
  const account = opened.world.account();
  opened.world.bank.accounts.set(account, [...rows]);
  const sync = await opened.sync([account]);
  const run = await opened.world.run(sync);
  assert.deepEqual([run.status, run.added, run.rejected], ['succeeded', rows.length, 0]);
  const [header = [], ...lines] = opened.google.control.values(opened.spreadsheet, 0);
  const found = new Map(
    lines.map((line) => [
      String(line[header.indexOf('Transaction ID')]),
      Object.fromEntries(header.map((name, at) => [String(name), line[at] ?? null])),
    ]),
  );
  // A resync compares every cell with what would be written: whatever is not exact would be written again.
  await opened.resync(sync);
  const again = await opened.world.run(sync);
  assert.deepEqual([again.status, again.added, again.updated], ['succeeded', 0, 0]);
  return (number: number) => found.get(posted(number).id) ?? assert.fail(`row ${number} is not there`);
}

const EM = '😀';
const TEXTS: Readonly<Record<string, string>> = {
  'a formula': '=IMPORTXML("https://evil.example","//a")',
  'a plus sign': '+1+1',
  'an at sign': '@SUM(A1)',
  'a minus sign': '-2+3',
  'an apostrophe': "'quoted",
  'control characters': 'a\u0001b\u0000c\ttab\r\nline\u007f',
  'right-to-left text': '\u202eevil\u202c שלום עולם مرحبا',
  'emoji and combining marks': `${EM} e\u0301 👩‍👩‍👧`,
  'what looks like a number': '00123',
  'what looks like a date': '2026-01-02',
  'what looks like a truth value': 'TRUE',
  'spaces around it': '  x  ',
  'the longest text of a cell': 'x'.repeat(50_000),
};

describe('a description', () => {
  const entries = Object.entries(TEXTS);
  let cell: Awaited<ReturnType<typeof written>>;
  test('arrives', async () => {
    cell = await written(entries.map(([, description], at) => posted(at + 1, { description })));
  });
  for (const [at, [what, text]] of entries.entries()) {
    test(`with ${what} arrives as it is`, () => assert.equal(cell(at + 1).Description, text));
  }

  test('that is longer than a cell is cut there, between characters', async () => {
    const row = await written([
      posted(1, { description: 'y'.repeat(50_001) }),
      posted(2, { description: `${'y'.repeat(49_998)}${EM}${EM}` }),
      posted(3, { description: 'half \ud83d pair' }),
    ]);
    assert.equal(row(1).Description, `${'y'.repeat(49_999)}…`);
    assert.equal(row(2).Description, `${'y'.repeat(49_998)}…`);
    assert.equal(row(3).Description, 'half \ufffd pair');
  });
});

test('amounts arrive to the last digit, in every currency, as numbers or where they do not fit as text', async () => {
  const amounts: readonly (readonly [text: string, currency: string, expected: number | string])[] = [
    ['-0.10', 'aud', -0.1],
    ['0.30', 'aud', 0.3],
    ['1000', 'jpy', 1000],
    ['-1.234', 'kwd', -1.234],
    ['0.00', 'aud', 0],
    ['-0.00', 'aud', 0],
    ['+5.50', 'aud', 5.5],
    ['9999999999999.99', 'aud', 9999999999999.99],
    ['90071992547409.93', 'aud', '90071992547409.93'],
    ['-123456789012345.67', 'aud', '-123456789012345.67'],
    ['0.0000001', 'btc', 0.0000001],
  ];
  const row = await written(
    amounts.map(([amount_decimal, currency], at) =>
      posted(at + 1, { amount_decimal, amount: { amount: 1, currency } }),
    ),
  );
  for (const [at, [, currency, expected]] of amounts.entries()) {
    assert.deepEqual([row(at + 1).Amount, row(at + 1).Currency], [expected, currency.toUpperCase()]);
    assert.ok(!Object.is(row(at + 1).Amount, -0));
  }
});

test('dates are days of the spreadsheet, and a row without one has none', async () => {
  const row = await written([posted(1), posted(2, { date: null, post_date: null })]);
  const { date } = posted(1);
  assert.equal(row(1).Date, (Date.parse(`${date}T00:00:00Z`) - Date.UTC(1899, 11, 30)) / 86_400_000);
  assert.deepEqual([row(2).Date, row(2)['Post Date']], [null, null]);
});

describe('a sheet with the headers of Tiller’s Transactions', () => {
  const TILLER = [
    '',
    'Date',
    'Description',
    'Category',
    'Amount',
    'Account',
    'Account #',
    'Institution',
    'Month',
    'Week',
    'Transaction ID',
    'Account ID',
    'Check Number',
    'Full Description',
    'Date Added',
    'Category Hint',
    'Merchant Name',
    'Tags',
    'Note',
  ];
  const serial = (day: string): number =>
    (Date.parse(`${day}T00:00:00Z`) - Date.UTC(1899, 11, 30)) / 86_400_000;

  test('is filled under those headers, and no other is added', async () => {
    const date = posted(1).date ?? assert.fail();
    const row = await written([posted(1, { merchant_name: 'Shop' })], { headers: TILLER });
    const sunday = new Date(
      Date.parse(`${date}T00:00:00Z`) - new Date(`${date}T00:00:00Z`).getUTCDay() * 86_400_000,
    );
    const { 'Account ID': account, 'Date Added': added, Account: name, ...rest } = row(1);
    assert.match(String(account), /^acct_/);
    assert.match(String(name), /^Account /);
    assert.equal(typeof added, 'number');
    assert.deepEqual(Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null)), {
      Date: serial(date),
      Description: 'row 1',
      Amount: -1.01,
      'Account #': 'xxxx1234',
      Institution: 'Test Bank',
      Month: serial(`${date.slice(0, 7)}-01`),
      Week: serial(sunday.toISOString().slice(0, 10)),
      'Transaction ID': posted(1).id,
      'Full Description': 'row 1',
      'Category Hint': 'FOOD_AND_DRINK',
      'Merchant Name': 'Shop',
    });
  });

  test('is filled with the fields that were chosen, by its own rules; what it lacks is added', async () => {
    await using opened = await Scene.open({ headers: TILLER.filter((name) => name !== 'Tags') });
    const account = opened.world.account();
    const row = (cents: number) => posted(1, { day: 49, cents, merchant_name: 'Shop' });
    opened.world.bank.accounts.set(account, [row(-100)]);
    const sync = await opened.sync([account], { columns: ['date', 'amount', 'status', 'category', 'tags'] });
    await opened.world.run(sync);
    const filled = () => Object.entries(opened.row(row(0).id)).filter(([, value]) => value !== '');
    assert.deepEqual(
      filled().map(([name]) => name),
      ['Date', 'Amount', 'Month', 'Week', 'Transaction ID', 'Date Added', 'Category Hint', 'Status'],
    );
    const headers = opened.grid()[0]?.filter((name) => name !== '') ?? [];
    assert.deepEqual(headers.slice(-2), ['Status', 'Tags']);
    const values = [{ userEnteredValue: { stringValue: 'Groceries' } }];
    const start = { sheetId: 0, rowIndex: 1, columnIndex: TILLER.indexOf('Category') };
    opened.edit({ updateCells: { start, rows: [{ values }], fields: 'userEnteredValue' } });
    opened.world.bank.accounts.set(account, [row(-200)]);
    assert.equal((await opened.world.run(sync)).updated, 1);
    const { Category, Amount, 'Merchant Name': merchant } = opened.row(row(0).id);
    assert.deepEqual([Category, Amount, merchant], ['Groceries', '-2', '']);
  });

  test('keeps what people write there when a row changes', async () => {
    await using opened = await Scene.open({ headers: TILLER });
    const account = opened.world.account();
    const row = (cents: number) => posted(1, { day: 49, cents });
    opened.world.bank.accounts.set(account, [row(-100)]);
    const sync = await opened.sync([account]);
    await opened.world.run(sync);
    for (const [name, text] of [
      ['Category', 'Groceries'],
      ['Note', 'with Bob'],
    ] as const) {
      const values = [{ userEnteredValue: { stringValue: text } }];
      const start = { sheetId: 0, rowIndex: 1, columnIndex: TILLER.indexOf(name) };
      opened.edit({ updateCells: { start, rows: [{ values }], fields: 'userEnteredValue' } });
    }
    opened.world.bank.accounts.set(account, [row(-200)]);
    assert.equal((await opened.world.run(sync)).updated, 1);
    const { Category, Note, Amount } = opened.row(row(0).id);
    assert.deepEqual([Category, Note, Amount], ['Groceries', 'with Bob', '-2']);
  });
});
