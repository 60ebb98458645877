import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { transactionMoment } from '../../web/src/transactions/transaction-moment.ts';

const SYDNEY = 'Australia/Sydney';

describe('day and time of a transaction', () => {
  test('a moment in UTC is shown by the clock of the zone, with the day it is there', () => {
    const shown = transactionMoment('2026-06-01', '2026-05-31T17:18:00Z', SYDNEY);
    assert.match(shown ?? '', /3:18/);
    assert.doesNotMatch(shown ?? '', /17:18|5:18/);
  });

  test('a moment with an offset is shown by the clock of the bank', () => {
    assert.match(transactionMoment('2026-06-01', '2026-06-01T08:05:00+12:00', SYDNEY) ?? '', /8:05/);
  });

  test('a time that is on another day than the transaction is left out, and so is midnight', () => {
    const day = transactionMoment('2026-06-01', null, SYDNEY);
    assert.equal(transactionMoment('2026-06-01', '2026-06-03T01:00:00Z', SYDNEY), day);
    assert.equal(transactionMoment('2026-06-01', '2026-06-01T00:00:00+10:00', SYDNEY), day);
    assert.equal(transactionMoment('2026-06-01', 'soon', SYDNEY), day);
  });

  test('without a day there is nothing to show', () => {
    assert.equal(transactionMoment(null, '2026-06-01T08:05:00Z', SYDNEY), null);
  });
});
