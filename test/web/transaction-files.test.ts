import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { presentTransaction } from '../../src/operations/v2/transactions/resource.ts';
import { moneyFromDecimal } from '../../src/vocabulary/money.ts';
import { csvOf, jsonLinesOf } from '../../web/src/transactions/file-text.ts';
import { readCsv, runsAsFormula, textOfCell } from '../features/exports/csv-reader.ts';
import { anyRow } from '../features/rules/rows.ts';

const NOTHING = { accounts: [], categories: [] };
const hostile = fc.oneof(
  fc.constantFrom(
    '=HYPERLINK("http://x")',
    '+1+1',
    '-2+3',
    '@SUM(A1)',
    "'=1",
    'a "b", c\r\nd',
    '\t=1',
    '﹢',
    ' ＝1',
    '\u200b@x',
  ),
  fc.string({ unit: 'grapheme' }),
);

test('a file has every row once, with its amount to the last digit and no text that a spreadsheet runs', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(anyRow, hostile), { maxLength: 20 }), (all) => {
      const rows = all.map(([{ transaction, account, category }, description], at) =>
        presentTransaction({ ...transaction, id: `txn_${at}`, description }, account, category),
      );
      const [names = [], ...lines] = readCsv(csvOf(rows, NOTHING));
      const column = (name: string) => lines.map((line) => line[names.indexOf(name)] ?? '');
      assert.deepEqual(
        column('Transaction ID'),
        rows.map(({ id }) => id),
      );
      for (const [at, row] of rows.entries()) {
        const text = column('Description')[at] ?? '';
        assert.ok(!runsAsFormula(text), JSON.stringify(text));
        assert.equal(textOfCell(text), row.description);
        const amount = moneyFromDecimal(column('Amount')[at] ?? '', row.amount.currency);
        assert.deepEqual(amount, row.amount);
      }
      const lacking = { id: 'txn_1', day: null, field: 'date', reason: 'missing' };
      const parsed = jsonLinesOf(rows, new Map([['acct_1', [lacking]]]))
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line));
      const last = { object: 'row_set_aside', account: 'acct_1', ...lacking };
      assert.deepEqual(parsed, [...JSON.parse(JSON.stringify(rows)), last]);
    }),
    { numRuns: 200 },
  );
});
