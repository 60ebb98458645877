import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ATTEMPT_FAILURES,
  DISABLED_AFTER_MS,
  DISABLED_REASONS,
  EVENT_RETRY_DELAYS_MS,
  LONGEST_RETRY_AFTER_MS,
  QUIET_AFTER_MS,
} from '../../src/vocabulary/event-deliveries.ts';
import { cell, plain, section, tableRows } from './markdown.ts';
import { readText } from './tree.ts';

const page = readText('docs/events.md');
const UNITS_MS: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** Milliseconds of a time such as `5 minutes`. */
function milliseconds(text: string): number {
  const [, count = '', unit = ''] = /^(\d+) (minute|hour|day)s?$/.exec(text) ?? [];
  return Number(count) * (UNITS_MS[unit] ?? Number.NaN);
}

const tablesWith = (column: string) =>
  tableRows(page, 'Deliveries').filter((row) => Object.hasOwn(row, column));

test('docs/events.md has exactly the attempts to deliver an event, and the delay of each', () => {
  const documented = tablesWith('Attempt').map((row) => [
    Number(cell(row, 'Attempt')),
    milliseconds(cell(row, 'After')),
  ]);
  assert.deepEqual(
    documented,
    EVENT_RETRY_DELAYS_MS.map((delay, at) => [at + 2, delay]),
  );
});

test('docs/events.md has how long a receiver can make us wait, how long it may fail, and what counts together', () => {
  const documented = tablesWith('Rule').map((row) => milliseconds(cell(row, 'Time')));
  assert.deepEqual(documented, [LONGEST_RETRY_AFTER_MS, DISABLED_AFTER_MS, QUIET_AFTER_MS]);
});

test('docs/events.md has every reason for which an event destination is disabled, and no other', () => {
  const rows = tableRows(page, 'Event destinations').filter(
    (row) => plain(cell(row, '`status`')) === 'disabled',
  );
  assert.deepEqual(
    rows.map((row) => plain(cell(row, '`disabled_reason`'))),
    [...DISABLED_REASONS],
  );
});

test('docs/events.md names every way in which an attempt ends without an answer, and no other', () => {
  const [, listed = ''] = /why there was no response: ([^.]+)\./.exec(section(page, 'Log')) ?? [];
  const names = [...listed.matchAll(/`(\w+)`/g)].map(([, name]) => name);
  assert.deepEqual(names, [...ATTEMPT_FAILURES]);
});
