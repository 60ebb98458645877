import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { tradesSearch } from '../../web/src/investments/search.ts';
import { LINKED } from '../../web/src/text/connections.ts';
import { reasonText } from '../../web/src/text/problems.ts';
import { transactionsSearch } from '../../web/src/transactions/search.ts';

describe('what an address may say', () => {
  for (const day of ['2026-02-31', '2026-13-01', '9999-99-99', '2025-02-29', 'soon']) {
    test(`a day that the calendar does not have is left out: ${day}`, () => {
      assert.deepEqual(transactionsSearch({ from: day, to: day }), {});
      assert.deepEqual(tradesSearch({ from: day, to: day }), {});
    });
  }

  test('a leap day is a day', () => {
    assert.deepEqual(transactionsSearch({ from: '2024-02-29' }), { from: '2024-02-29' });
  });

  test('a reason that every object inherits is unknown, and not shown as what it inherits', () => {
    for (const reason of ['__proto__', 'constructor', 'toString', '']) {
      assert.equal(reasonText(LINKED.reasons, reason, LINKED.unknown), LINKED.unknown);
    }
    assert.equal(reasonText(LINKED.reasons, 'cancelled', LINKED.unknown), LINKED.reasons.cancelled);
  });
});
