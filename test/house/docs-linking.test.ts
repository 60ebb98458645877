import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LINKED_PROVIDERS, PROVIDERS } from '../../src/vocabulary/provider-kinds.ts';
import { cell, plain, tableRows } from './markdown.ts';
import { readText } from './tree.ts';

test('docs/linking.md says of every provider in which field a link names the bank, and of no other', () => {
  const rows = tableRows(readText('docs/linking.md'), 'From session to connection');
  const documented = rows.map((row) => [
    plain(cell(row, 'Provider')),
    cell(row, '`institution`'),
    cell(row, '`chosen_institution`'),
  ]);
  const known = LINKED_PROVIDERS.map((provider) => [
    provider,
    ...(PROVIDERS[provider].linksInstitution ? ['required', 'refused'] : ['refused', 'optional']),
  ]);
  assert.deepEqual(documented.toSorted(), known.toSorted());
});
