import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyed } from '../../web/src/parts/keyed.ts';

test('rows that say the same have keys that differ, and keep them when others come and go', () => {
  const keysOf = (...rows: readonly string[]) => keyed(rows, (row) => row).map(([key]) => key);
  const both = keysOf('fee', 'fee', 'other');
  assert.equal(new Set(both).size, 3);
  assert.deepEqual(keysOf('new', 'fee', 'fee', 'other').slice(1), both);
});
