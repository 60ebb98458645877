import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '../../src/vocabulary/limits.ts';
import {
  NOTIFICATION_KINDS,
  UNUSUAL_LEAST_OTHERS,
  UNUSUAL_TIMES,
} from '../../src/vocabulary/notification-kinds.ts';
import { cell, plain, section, tableRows } from './markdown.ts';
import { readText } from './tree.ts';

const page = readText('docs/notifications.md');

test('docs/notifications.md has the kinds there are, with what leads to each and the defaults, and no other', () => {
  const documented = tableRows(page, 'Kinds').map((row) => [
    plain(cell(row, 'Kind')),
    {
      when: cell(row, 'When'),
      event: plain(cell(row, 'From the event')) || null,
      email: cell(row, 'E-mail') === 'on',
      push: cell(row, 'Browser') === 'on',
      quietMinutes: Number(cell(row, 'Again after (minutes)')),
    },
  ]);
  const known = Object.entries(NOTIFICATION_KINDS).map(([kind, row]) => {
    const { when, event, email, push, quietMinutes } = row;
    return [kind, { when, event, email, push, quietMinutes }];
  });
  assert.deepEqual(documented, known);
});

test('docs/notifications.md has what each kind says, with and without details', () => {
  const documented = tableRows(page, 'What they say').map((row) => [
    plain(cell(row, 'Kind')),
    cell(row, 'Without details'),
    cell(row, 'With details') || null,
  ]);
  const known = Object.entries(NOTIFICATION_KINDS).map(([kind, { text, detailed }]) => [
    kind,
    text,
    detailed,
  ]);
  assert.deepEqual(documented, known);
});

test('docs/notifications.md has the numbers the service uses', () => {
  const [five, three] = [UNUSUAL_TIMES, UNUSUAL_LEAST_OTHERS];
  assert.deepEqual([five, three], [5, 3], 'the words five and three');
  for (const [heading, text] of [
    ['Transactions', `A person can set ${LIMITS.notification_thresholds.default} of them`],
    ['Sending', `at most ${LIMITS.notifications_per_day.default} notifications`],
    ['Browsers', `A person can have ${LIMITS.push_devices.default} browsers`],
    ['Browsers', `within the last ${LIMITS.fresh_sign_in_minutes.default} minutes`],
  ] as const)
    assert.ok(section(page, heading).includes(text), `${heading}: ${text}`);
});

test('without details, no kind has a place for anything that is filled in', () => {
  for (const [kind, { subject, text }] of Object.entries(NOTIFICATION_KINDS))
    assert.ok(!/\{/.test(`${subject}${text}`), kind);
});
