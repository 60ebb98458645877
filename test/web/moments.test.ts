import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayIn } from '../../web/src/format/moments.ts';

test('days are counted from the local day, also around a change of clocks', () => {
  const lastHour = Date.parse('2026-10-25T22:30:00Z');
  assert.equal(dayIn('Europe/Berlin', 0, lastHour), '2026-10-25');
  assert.equal(dayIn('Europe/Berlin', -1, lastHour), '2026-10-24');
  assert.equal(dayIn('Europe/Berlin', -7, lastHour), '2026-10-18');
});
