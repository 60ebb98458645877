import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVENT_KIND_NAMES, EVENT_KINDS } from '../../src/vocabulary/event-kinds.ts';
import { cell, plain, tableRows } from './markdown.ts';
import { readText, readTree } from './tree.ts';

test('docs/events.md has the kinds of events the service knows, what they are about and when they fire', () => {
  const documented = tableRows(readText('docs/events.md'), 'Events').map((row) => [
    plain(cell(row, 'Kind')),
    { of: plain(cell(row, 'About')), when: cell(row, 'When') },
  ]);
  assert.deepEqual(Object.fromEntries(documented), EVENT_KINDS);
});

test('every kind is fired somewhere', () => {
  const source = [...readTree('src')].filter(([path]) => path.startsWith('src/features/'));
  const fired = EVENT_KIND_NAMES.filter((kind) =>
    source.some(([, text]) => text.includes(`'${kind}'`) || text.includes(family(kind))),
  );
  assert.deepEqual(fired, EVENT_KIND_NAMES);
});

/** `connection.expiring` and `connection.expired` are fired as the status a consent has come to. */
const family = (kind: string): string =>
  kind === 'connection.expiring' || kind === 'connection.expired'
    ? ['`connection.', '{status}`'].join('$')
    : kind;
