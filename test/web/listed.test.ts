import assert from 'node:assert/strict';
import { test } from 'node:test';
import { counted } from '../../web/src/format/numbers.ts';
import { listedText } from '../../web/src/text/transactions.ts';

const trades = (count: number) => counted(count, 'trade', 'trades');

test('a list says how many rows it shows, of how many, and whether there may be more', () => {
  const read = { found: 3, read: 1_200 };
  assert.deepEqual(
    [
      listedText({ ...read, narrowed: false, complete: true }, trades),
      listedText({ ...read, narrowed: false, complete: false }, trades),
      listedText({ ...read, narrowed: true, complete: true }, trades),
      listedText({ ...read, narrowed: true, complete: false }, trades),
    ],
    ['1,200 trades', '1,200 trades read so far', '3 of 1,200 trades', '3 of 1,200 trades read so far'],
  );
});
