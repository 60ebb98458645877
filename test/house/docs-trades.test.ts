import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TRADE_TYPES } from '../../src/vocabulary/holdings.ts';
import { cell, plain, tableRows } from './markdown.ts';
import { readText } from './tree.ts';

test('every type of trade has its row in docs/adding-a-provider.md, in order, and every row is a type', () => {
  const rows = tableRows(readText('docs/adding-a-provider.md'), 'Types of trades');
  assert.deepEqual(
    rows.map((row) => plain(cell(row, 'Type'))),
    [...TRADE_TYPES],
  );
  for (const row of rows) assert.ok(cell(row, 'What belongs there').length >= 10);
});

test('the types of trades are those the interface names', () => {
  const named = ['buy', 'sell', 'dividend', 'split', 'transfer', 'fee', 'interest', 'other'];
  assert.deepEqual([...TRADE_TYPES].toSorted(), named.toSorted());
});
