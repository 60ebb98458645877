import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PROBLEM_KINDS, PROBLEM_REASON_NAMES, PROBLEM_REASONS } from '../../src/vocabulary/verifications.ts';
import { cell, plain, tableRows } from './markdown.ts';
import { readText } from './tree.ts';

test('docs/verification.md has the reasons there are, with the kind and the remedy of each', () => {
  const documented = tableRows(readText('docs/verification.md'), 'Reasons').map((row) => [
    plain(cell(row, 'Reason')),
    plain(cell(row, 'Kind')),
    plain(cell(row, 'Remedy')),
  ]);
  const known = Object.entries(PROBLEM_REASONS).map(([name, { kind, remedy }]) => [name, kind, remedy]);
  assert.deepEqual(documented.toSorted(), known.toSorted());
  assert.deepEqual([...PROBLEM_REASON_NAMES].toSorted(), Object.keys(PROBLEM_REASONS).toSorted());
  const kinds: ReadonlySet<string> = new Set(known.map(([, kind = '']) => kind));
  assert.deepEqual([...kinds].toSorted(), PROBLEM_KINDS.toSorted());
});
