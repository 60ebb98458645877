import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dayOf, momentWindow } from '../../../src/features/reads/transaction-window.ts';
import { DEFAULT_LIMITS } from '../../../src/vocabulary/limits.ts';
import { ServiceError } from '../../../src/vocabulary/service-error.ts';

const at = { now: Date.parse('2026-03-15T20:00:00Z'), timezone: 'Australia/Sydney' };
const window = (from: string | null, to: string | null) => momentWindow({ from, to }, at, DEFAULT_LIMITS);

describe('a window by moments', () => {
  test('is of the days that its ends fall on in the zone', () => {
    assert.deepEqual(window(null, null), { from: '2026-02-14', to: '2026-03-16' });
    assert.deepEqual(window('2026-03-01T12:59:59Z', '2026-03-01T13:00:00Z'), {
      from: '2026-03-01',
      to: '2026-03-02',
    });
    assert.deepEqual(window('2026-03-01T23:59:59', '2026-03-01T23:59'), {
      from: '2026-03-01',
      to: '2026-03-01',
    });
    assert.deepEqual(window('2026-03-01T00:30:00+13:00', '2026-03-01T00:30:00+1300'), {
      from: '2026-02-28',
      to: '2026-02-28',
    });
  });

  test('begins 30 days before today whatever its end', () => {
    assert.throws(() => window(null, '2026-02-01'), { code: 'invalid_date_range' });
    assert.throws(() => window('2000-01-01', null), { code: 'from_too_old' });
  });

  test('is refused by the name of the end that is no day and no moment', () => {
    for (const text of [
      '',
      'x',
      '2026-1-1',
      '2026-02-29',
      '2026-03-01T',
      '2026-03-01T24:00',
      '2026-03-01 10:00',
      '10000-01-01',
    ]) {
      assert.throws(
        () => window(null, text),
        (error) =>
          error instanceof ServiceError && error.code === 'parameter_invalid' && error.param === 'to',
        text,
      );
    }
    assert.equal(dayOf('from', null, 'UTC'), null);
    // The first moment there is falls on a day before it in a zone behind UTC.
    assert.throws(() => dayOf('from', '0001-01-01T00:00:00Z', 'America/New_York'), {
      code: 'parameter_invalid',
    });
  });
});
