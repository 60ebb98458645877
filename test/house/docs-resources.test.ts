import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ACCOUNT_TYPES } from '../../src/vocabulary/account-types.ts';
import { DESTINATION_KINDS, DESTINATION_TYPES } from '../../src/vocabulary/destination-kinds.ts';
import { TRADE_TYPES } from '../../src/vocabulary/holdings.ts';
import { ID_PREFIXES } from '../../src/vocabulary/ids.ts';
import { RUN_FAILURE_CODES, RUN_FAILURES, SYNC_WARNING_CODES } from '../../src/vocabulary/syncs.ts';
import { cell, plain, section, tableRows } from './markdown.ts';
import { readText } from './tree.ts';

const resources = readText('docs/resources.md');
const cells = (title: string, heading: string) =>
  tableRows(resources, title).map((row) => cell(row, heading));
const quoted = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

test('docs/api-conventions.md lists the prefix of every kind of id, in order, and no other', () => {
  const rows = tableRows(readText('docs/api-conventions.md'), 'Identifiers');
  assert.deepEqual(
    rows.map((row) => plain(cell(row, 'Prefix'))),
    Object.values(ID_PREFIXES).map((prefix) => `${prefix}_`),
  );
});

test('docs/resources.md shows the target keys of every type of destination', () => {
  assert.deepEqual(cells('Destination', 'Type').map(plain), [...DESTINATION_TYPES]);
  assert.deepEqual(
    cells('Destination', 'Target').map(quoted),
    DESTINATION_TYPES.map((type) => [...DESTINATION_KINDS[type].target.keys]),
  );
});

test('docs/resources.md shows every reason for which a run fails, and whether it is retryable', () => {
  assert.deepEqual(cells('Sync run', 'Code').map(plain), [...RUN_FAILURE_CODES]);
  assert.deepEqual(
    cells('Sync run', 'Retryable').map((text) => text === 'yes'),
    RUN_FAILURE_CODES.map((code) => RUN_FAILURES[code].retryable),
  );
});

test('docs/resources.md shows every warning of a sync', () => {
  assert.deepEqual(cells('Warnings', 'Code').map(plain), [...SYNC_WARNING_CODES]);
});

test('docs/resources.md names every type of account and of trade', () => {
  const named = (title: string) => quoted(section(resources, title));
  for (const type of ACCOUNT_TYPES) assert.ok(named('Account').includes(type), type);
  for (const type of TRADE_TYPES) assert.ok(named('Trade').includes(type), type);
});
