import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { guessCsvLayout, previewCsv } from '../../src/statements/csv/csv-file.ts';
import type { CsvLayout } from '../../src/statements/statement-contract.ts';
import { fixture, line, parsed } from './parse.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

async function rowsOf(text: string, layout?: CsvLayout): Promise<string[]> {
  const { statements } = await parsed(text, layout === undefined ? {} : { layout });
  return statements.flatMap(({ rows }) => rows.map(line));
}

describe('what a CSV leaves open is reported, and what it proves is not', () => {
  const cases: ReadonlyArray<readonly [what: string, text: string, doubts: readonly string[]]> = [
    ['everything proven', 'Date,Text,Amount,Balance\n13/01/2026,a,-1.00,9.00\n14/01/2026,b,2.00,11.00\n', []],
    [
      'days up to the 12th',
      'Date,Text,Amount,Balance\n01/02/2026,a,-1.00,9.00\n02/02/2026,b,2.00,11.00\n',
      ['date_order'],
    ],
    ['three digits behind the only separator', 'Date,Text,Amount\n2026-01-13,a,"-1,234"\n', ['decimal_sign']],
    ['no negative amount', 'Date,Text,Amount\n2026-01-13,a,1.00\n2026-01-14,b,2.00\n', ['direction']],
    ['no header', '2026-01-13,Shop,-1.00\n2026-01-14,Shop,-2.00\n', ['columns']],
    ['two directions', 'Date,Text,Debit,Credit\n2026-01-13,a,1.00,\n2026-01-14,b,,2.00\n', []],
    ['no rows', 'Date,Text,Amount\n', []],
  ];
  for (const [what, text, doubts] of cases) {
    test(what, async () => assert.deepEqual((await guessCsvLayout(bytes(text))).doubts, doubts));
  }

  test('no column of dates', async () => {
    const guess = await guessCsvLayout(bytes('Name;Wert\na;1,00\nb;2,00\n'));
    assert.equal(guess.layout, null);
    assert.deepEqual([guess.doubts, guess.delimiter], [['columns'], ';']);
  });
});

test('balances prove that positive amounts were spent', async () => {
  const text =
    'Date,Text,Amount,Balance\n2026-01-13,a,5.00,95.00\n2026-01-14,b,2.50,92.50\n2026-01-15,c,-10.00,102.50\n';
  const { layout, doubts } = await guessCsvLayout(bytes(text));
  assert.deepEqual([layout?.positive, doubts], ['out', []]);
  assert.deepEqual(await rowsOf(text), [
    '2 2026-01-13 -5.00 a',
    '3 2026-01-14 -2.50 b',
    '4 2026-01-15 10.00 c',
  ]);
});

test('a layout that a person corrected is used instead of the guess', async () => {
  const text = 'Date,Text,Amount\n01/02/2026,a,"1,234"\n';
  const { layout } = await guessCsvLayout(bytes(text));
  assert.ok(layout !== null);
  assert.deepEqual(await rowsOf(text), ['2 2026-02-01 1234 a']);
  const corrected: CsvLayout = { ...layout, dateOrder: 'mdy', decimalSign: ',', positive: 'out' };
  assert.deepEqual(await rowsOf(text, corrected), ['2 2026-01-02 -1.234 a']);
});

test('the two columns of an amount are read whether debits have a minus or not, and zero is an empty cell', async () => {
  for (const [debit, zero] of [
    ['5.00', ''],
    ['-5.00', ''],
    ['5.00', '0.00'],
    ['-5.00', '0.00'],
  ] as const) {
    const text = `Date,Text,Withdrawal,Deposit\n2026-01-13,a,${debit},${zero}\n2026-01-14,b,${zero},7.00\n`;
    assert.deepEqual(await rowsOf(text), ['2 2026-01-13 -5.00 a', '3 2026-01-14 7.00 b']);
  }
});

test('a row with both a debit and a credit, or a direction that says neither, is unreadable', async () => {
  const both = await parsed(
    'Date,Text,Debit,Credit\n2026-01-13,a,1.00,2.00\n2026-01-14,b,1.00,\n2026-01-15,c,,1.00\n',
  );
  assert.deepEqual(both.statements[0]?.unreadable, [{ position: 2, field: 'amount' }]);
  const rows = 'Date;Text;Debit/Credit;Amount\n2026-01-13;a;D;1.00\n2026-01-14;b;C;2.00\n'.concat(
    '2026-01-15;c;D;3.00\n'.repeat(20),
    '2026-01-16;d;?;4.00\n',
  );
  const marked = await parsed(rows);
  assert.deepEqual(marked.statements[0]?.unreadable, [{ position: 24, field: 'amount' }]);
  assert.deepEqual(
    marked.statements[0]?.rows.slice(0, 2).map(({ amount }) => amount),
    ['-1.00', '2.00'],
  );
});

test('a stray quote does not swallow the rows behind it', async () => {
  const text =
    'Date,Text,Amount\n2026-01-13,"12 inch" vinyl,-1.00\n2026-01-14,"open,-2.00\n2026-01-15,5" nails,-3.00\n2026-01-16,ok,-4.00\n2026-01-17,"Bar "Sol"",-5.00\n';
  const { statements } = await parsed(text);
  const read = statements.flatMap(({ rows }) => rows.map(({ amount }) => amount));
  assert.deepEqual(read, ['-1.00', '-2.00', '-3.00', '-4.00', '-5.00']);
});

test('a preview shows the cells of each record as written and what becomes of them', async () => {
  const file = fixture('uk-columns.csv');
  const { layout } = await guessCsvLayout(file);
  assert.ok(layout !== null);
  const { header, rows } = await previewCsv(file, layout, 2);
  assert.equal(header.length, rows[0]?.cells.length);
  assert.notDeepEqual(header, rows[0]?.cells);
  const unnamed = await previewCsv(file, { ...layout, header: false, skipLines: layout.skipLines + 1 }, 2);
  assert.deepEqual(unnamed.header, rows[0]?.cells);
  assert.deepEqual(
    rows.map(({ position, cells, row }) => [position, cells[2], row?.amount]),
    [
      [5, "=cmd|' /C calc'!A0", '-15.00'],
      [6, 'Multi\nline "quoted"', '1100.00'],
    ],
  );
  const all = await previewCsv(file, layout, 100);
  assert.deepEqual(
    all.rows.map(({ unreadable }) => unreadable),
    [null, null, 'row'],
  );
  const wrong: CsvLayout = { ...layout, columns: { ...layout.columns, date: 99 } };
  assert.deepEqual(
    (await previewCsv(file, wrong, 1)).rows.map(({ unreadable }) => unreadable),
    ['date'],
  );
});
