import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  DESTINATION_CONNECTIONS,
  DESTINATION_FAILURE_RULES,
} from '../../src/vocabulary/destination-kinds/kind.ts';
import { DESTINATION_KINDS, DESTINATION_TYPES } from '../../src/vocabulary/destination-kinds.ts';
import { cell, plain, tableRows } from './markdown.ts';
import { readText } from './tree.ts';

const page = readText('docs/destinations.md');

test('docs/destinations.md has the types there are, with how each connects, what it holds and what fails it', () => {
  const documented = tableRows(page, 'Types').map((row) => [
    plain(cell(row, 'Type')),
    {
      connects: plain(cell(row, 'Connected by')),
      holds: cell(row, 'Takes syncs of').split(', ').map(plain),
      signingSecret: cell(row, 'Signing secret') === 'yes',
      failure: plain(cell(row, 'Failure rule')),
      columns: cell(row, 'Columns') === 'yes',
    },
  ]);
  assert.deepEqual(
    documented,
    DESTINATION_TYPES.map((type) => {
      const { connects, holds, signingSecret, failure, columns } = DESTINATION_KINDS[type];
      return [type, { connects, holds, signingSecret, failure, columns }];
    }),
  );
  for (const row of tableRows(page, 'Types')) {
    assert.match(cell(row, 'Signing secret'), /^(?:yes|no)$/);
    assert.match(cell(row, 'Columns'), /^(?:yes|no)$/);
  }
});

test('docs/destinations.md explains every way to connect and every failure rule, and no other', () => {
  const documented = (title: string, heading: string) =>
    tableRows(page, title).map((row) => plain(cell(row, heading)));
  assert.deepEqual(documented('Ways to connect', 'Connected by'), [...DESTINATION_CONNECTIONS]);
  assert.deepEqual(documented('Failure rules', 'Failure rule'), [...DESTINATION_FAILURE_RULES]);
});
