import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESTINATION_KINDS, DESTINATION_TYPES } from '../../src/vocabulary/destination-kinds.ts';
import {
  BALANCE_FIELDS,
  FIELD_FORMS,
  HOLDING_FIELDS,
  SYNC_KEYS,
  TRADE_FIELDS,
  TRANSACTION_FIELDS,
} from '../../src/vocabulary/row-fields.ts';
import { cell, headingsOf, plain, tableRows } from './markdown.ts';
import { readText } from './tree.ts';

const page = readText('docs/columns.md');
const TABLES = {
  Transactions: TRANSACTION_FIELDS,
  Trades: TRADE_FIELDS,
  Holdings: HOLDING_FIELDS,
  Balances: BALANCE_FIELDS,
};

for (const [title, fields] of Object.entries(TABLES)) {
  test(`docs/columns.md has the columns of ${title.toLowerCase()}, in their order, and no other`, () => {
    const rows = tableRows(page, title);
    assert.deepEqual(
      rows.map((row) => [
        plain(cell(row, 'Field')),
        {
          header: cell(row, 'Column'),
          form: cell(row, 'Form').replace(' ', '_'),
          standard: cell(row, 'Standard') === 'yes',
        },
      ]),
      Object.entries(fields),
    );
    for (const row of rows) {
      assert.match(cell(row, 'Standard'), /^(?:yes|no)$/);
      assert.match(cell(row, 'Holds'), /\w.*\.$/);
    }
  });

  test(`no two columns of ${title.toLowerCase()} have the same name, however it is written`, () => {
    const headers = Object.values(fields).map(({ header }) => header.toLowerCase());
    assert.equal(new Set(headers).size, headers.length);
  });
}

test('docs/columns.md has a section for every table of columns, how they are chosen, and no other', () => {
  assert.deepEqual(headingsOf(page, 2), [...Object.keys(TABLES), 'Choosing columns']);
});

test('docs/columns.md says by which field the rows of each type of sync are found, and what differs where', () => {
  for (const [title, key] of [
    ['Transactions', SYNC_KEYS.transactions],
    ['Trades', SYNC_KEYS.trades],
    ['Holdings', SYNC_KEYS.holdings],
  ] as const) {
    const found = tableRows(page, title).filter((row) => cell(row, 'Holds').includes('found again'));
    assert.deepEqual(
      found.map((row) => plain(cell(row, 'Field'))),
      key === null ? [] : [key],
    );
  }
  for (const row of tableRows(page, 'Choosing columns')) {
    const type = DESTINATION_TYPES.find((one) => one === plain(cell(row, 'Type')));
    assert.ok(type !== undefined && DESTINATION_KINDS[type].columns, cell(row, 'Type'));
  }
});

test('every form of a value is used by a column', () => {
  const used = new Set(
    Object.values(TABLES).flatMap((fields) => Object.values(fields).map(({ form }) => form)),
  );
  assert.deepEqual([...used].toSorted(), [...FIELD_FORMS].toSorted());
});
