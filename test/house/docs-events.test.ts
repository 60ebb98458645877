import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVENT_KIND_NAMES, EVENT_KINDS } from '../../src/vocabulary/event-kinds.ts';
import { EVENT_FAMILIES } from '../../src/vocabulary/event-selectors.ts';
import { cell, plain, section, tableRows } from './markdown.ts';
import { readText, readTree } from './tree.ts';

const page = readText('docs/events.md');
/** Features emit the event of the move that they make. */
const TABLES = 'src/vocabulary/states.ts';

test('docs/events.md has the kinds of events the service knows, what they are about and when they fire', () => {
  const documented = tableRows(page, 'Kinds').map((row) => [
    plain(cell(row, 'Kind')),
    { of: plain(cell(row, 'About')), when: cell(row, 'When') },
  ]);
  assert.deepEqual(Object.fromEntries(documented), EVENT_KINDS);
});

test('docs/events.md has the families that can be subscribed to, and no other', () => {
  const documented = [...section(page, 'Kinds').matchAll(/`(\w+\.\*)`/g)].map(([, family]) => family);
  assert.deepEqual(documented, EVENT_FAMILIES);
});

test('every kind is fired somewhere', () => {
  const source = [...readTree('src')].filter(([path]) => path.startsWith('src/features/') || path === TABLES);
  const fired = EVENT_KIND_NAMES.filter((kind) =>
    source.some(([path, text]) => text.includes(path === TABLES ? `emits: '${kind}'` : `'${kind}'`)),
  );
  assert.deepEqual(fired, EVENT_KIND_NAMES);
});
