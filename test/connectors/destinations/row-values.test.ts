import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { DeliveryAccount, TransactionRow } from '../../../src/connectors/destinations/delivery-rows.ts';
import {
  BALANCE_VALUES,
  HOLDING_VALUES,
  TRADE_VALUES,
  TRANSACTION_VALUES,
} from '../../../src/connectors/destinations/row-values.ts';
import { rowId } from '../../../src/vocabulary/ids.ts';
import { localDate } from '../../../src/vocabulary/moments.ts';
import {
  BALANCE_FIELDS,
  HOLDING_FIELDS,
  TRADE_FIELDS,
  TRANSACTION_FIELDS,
} from '../../../src/vocabulary/row-fields.ts';
import { pending, posted } from '../../features/sync-engine/support/bank.ts';

const ACCOUNT: DeliveryAccount = {
  id: rowId('account', '0192f0c4-0000-7000-8000-00000000000a'),
  name: 'Everyday',
  institution: 'Bank',
  type: 'transaction',
  maskedNumber: 'xxxx1234',
};

function row(more: Partial<TransactionRow> = {}): TransactionRow {
  return {
    kind: 'transaction',
    account: ACCOUNT,
    transaction: posted(1),
    customCategory: null,
    memo: null,
    tags: [],
    replaces: null,
    ...more,
  };
}

test('every column has a value, in the order of the columns', () => {
  for (const [values, fields] of [
    [TRANSACTION_VALUES, TRANSACTION_FIELDS],
    [TRADE_VALUES, TRADE_FIELDS],
    [HOLDING_VALUES, HOLDING_FIELDS],
    [BALANCE_VALUES, BALANCE_FIELDS],
  ] as const) {
    assert.deepEqual(Object.keys(values), Object.keys(fields));
  }
});

describe('a transaction', () => {
  test("has the owner's own category, else the primary one, else the provider's", () => {
    const { category } = TRANSACTION_VALUES;
    assert.equal(category(row({ customCategory: 'Food' })), 'Food');
    assert.equal(category(row()), 'FOOD_AND_DRINK');
    assert.equal(
      category(row({ transaction: posted(1, { primary_category: null }) })),
      'FOOD_AND_DRINK_GROCERIES',
    );
    const none = posted(1, { primary_category: null, provider_category: null });
    assert.equal(category(row({ transaction: none })), null);
  });

  test('has its amount with the digits of the bank, without a plus sign', () => {
    for (const [sent, shown] of [
      ['-12.30', '-12.30'],
      ['+12.30', '12.30'],
      ['1000', '1000'],
      ['0.001', '0.001'],
      ['90071992547409931.12', '90071992547409931.12'],
    ] as const) {
      assert.equal(
        TRANSACTION_VALUES.amount(row({ transaction: posted(1, { amount_decimal: sent }) })),
        shown,
      );
    }
  });

  test('that is pending has no day of posting; without any day it has none', () => {
    const waiting = row({ transaction: pending(1, { date: null }) });
    assert.deepEqual([TRANSACTION_VALUES.post_date(waiting), TRANSACTION_VALUES.date(waiting)], [null, null]);
    const late = row({ transaction: posted(1, { date: null, post_date: localDate('2026-01-02') }) });
    assert.equal(TRANSACTION_VALUES.date(late), '2026-01-02');
  });

  test('has its tags in one cell, and an empty cell without any', () => {
    assert.equal(TRANSACTION_VALUES.tags(row({ tags: ['a', 'b'] })), 'a, b');
    assert.equal(TRANSACTION_VALUES.tags(row()), null);
  });

  test('names its account by the id of v2, which starts with acc_ or the like and is no UUID', () => {
    assert.match(TRANSACTION_VALUES.account_id(row()) ?? '', /^[a-z]+_[0-9A-Za-z]{22}$/);
  });
});

test('a balance is a decimal with the places of its currency, and empty if the bank knows none', () => {
  const of = (amount: number, currency: string) => ({
    kind: 'balance' as const,
    account: ACCOUNT,
    readAt: Date.parse('2026-11-20T06:00:00.999Z'),
    currency,
    current: { amount, currency },
    available: null,
  });
  assert.equal(BALANCE_VALUES.current(of(-5, 'aud')), '-0.05');
  assert.equal(BALANCE_VALUES.current(of(5, 'jpy')), '5');
  assert.equal(BALANCE_VALUES.current(of(5, 'kwd')), '0.005');
  assert.equal(BALANCE_VALUES.available(of(5, 'aud')), null);
  assert.equal(BALANCE_VALUES.currency(of(5, 'aud')), 'AUD');
  assert.equal(BALANCE_VALUES.last_updated(of(5, 'aud')), '2026-11-20T06:00:00Z');
});
