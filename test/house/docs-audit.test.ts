import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATIONS } from '../../src/operations/operation-table.ts';
import {
  AUDIT_DETAILS,
  AUDIT_KIND_NAMES,
  AUDIT_KINDS,
  isRepeating,
} from '../../src/vocabulary/audit-kinds.ts';
import { cell, plain, tableRows } from './markdown.ts';
import { readSources, readText } from './tree.ts';

const page = readText('docs/audit-log.md');

test('docs/audit-log.md has the kinds that the log records, and which are counted together', () => {
  const documented = tableRows(page, 'Kinds').map((row) => [
    plain(cell(row, 'Kind')),
    cell(row, 'What happened'),
    cell(row, 'Counted by day and network') === 'yes',
  ]);
  const known = AUDIT_KIND_NAMES.map((kind) => [kind, AUDIT_KINDS[kind].text, isRepeating(kind)]);
  assert.deepEqual(documented, known);
});

test('docs/audit-log.md has the ways in which people prove who they are', () => {
  const documented = tableRows(page, 'Details').map((row) => plain(cell(row, 'Detail')));
  assert.deepEqual(documented, [...AUDIT_DETAILS]);
});

test('every kind is recorded somewhere', () => {
  const source = [...readSources()].filter(([path]) => !path.startsWith('src/vocabulary/'));
  for (const kind of AUDIT_KIND_NAMES) {
    assert.ok(
      source.some(([, text]) => text.includes(`'${kind}'`)),
      `${kind} is never recorded`,
    );
  }
});

test('an operation that makes or ends access, or deletes something, is in the audit log', () => {
  const missing = OPERATIONS.filter(
    ({ method, scope, freshSignIn, answersSecret, streamed, audit }) =>
      audit === null &&
      (method === 'DELETE' ||
        freshSignIn !== false ||
        answersSecret ||
        (scope === 'keys:write' && method !== 'GET') ||
        (streamed !== null && !streamed.live)),
  );
  assert.deepEqual(
    missing.map(({ id }) => id),
    [],
  );
});
