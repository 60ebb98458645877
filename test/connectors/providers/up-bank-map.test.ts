import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { CHILDREN } from '../../../sandbox/up-bank/categories.ts';
import { mapAccount, mapBalance } from '../../../src/connectors/providers/up-bank/connector.ts';
import { codesOf, KNOWN_CATEGORIES } from '../../../src/connectors/providers/up-bank/map-category.ts';
import { mapTransaction } from '../../../src/connectors/providers/up-bank/map-transaction.ts';
import { PROVIDER_CATEGORIES } from '../../../src/vocabulary/provider-categories.ts';
import { UpstreamFailure } from '../../../src/vocabulary/upstream-failures.ts';
import { wireAccount, wireMoney, wireTransaction } from './up-bank-rows.ts';

const CONTEXT = { account: 'acc-1', timezone: 'Australia/Sydney' };
const one = (resource: Record<string, unknown>) => {
  const [row, ...more] = mapTransaction(resource, CONTEXT);
  assert.ok(row);
  assert.deepEqual(more, []);
  return row;
};
const refused = (work: () => unknown) =>
  assert.throws(work, (error) => error instanceof UpstreamFailure && error.situation === 'malformed');

describe('A transaction of Up', () => {
  it('keeps its moments, texts and amount as they were sent', () => {
    assert.deepEqual(one(wireTransaction('t-1', { message: 'Flat white' })), {
      id: 'txn_up_t-1',
      status: 'posted',
      date: '2026-01-15',
      datetime: '2026-01-15T14:00:00+11:00',
      post_date: '2026-01-17',
      post_datetime: '2026-01-17T09:00:00+11:00',
      value_date: null,
      value_datetime: null,
      description: 'Second Crack',
      reference: 'SECOND CRACK SYDNEY AU',
      extended_description: 'Flat white',
      amount: { amount: -1234, currency: 'aud' },
      amount_decimal: '-12.34',
      direction: 'debit',
      class: 'payment',
      provider_category: 'FOOD_AND_DRINK_RESTAURANT',
      primary_category: 'FOOD_AND_DRINK',
      merchant_name: 'Second Crack',
      merchant_category_code: null,
    });
  });

  it('has an id of its own while it is held, always the same and without a part of the settled one', () => {
    const held = { status: 'HELD', settledAt: null };
    const pending = one(wireTransaction('4b3c-t-1', held));
    assert.equal(pending.status, 'pending');
    assert.match(pending.id, /^txn_up_held-[0-9a-f]{32}$/);
    assert.equal(one(wireTransaction('4b3c-t-1', { ...held, amount: wireMoney(-99) })).id, pending.id);
    assert.notEqual(one(wireTransaction('4b3c-t-2', held)).id, pending.id);
    assert.ok(!pending.id.includes('4b3c'));
    assert.equal(pending.post_date, null);
  });

  it('of a status yet to come is posted exactly when it has settled', () => {
    assert.equal(one(wireTransaction('t', { status: 'CLEARED' })).status, 'posted');
    assert.equal(one(wireTransaction('t', { status: 'CLEARED', settledAt: null })).status, 'pending');
  });

  it('comes with its round-up as a row beside it, so that the rows add up to the balance', () => {
    const roundUp = { amount: wireMoney(-66), boostPortion: wireMoney(-16) };
    const [bought, rounded, ...more] = mapTransaction(wireTransaction('t-1', { roundUp }), CONTEXT);
    assert.ok(bought && rounded);
    assert.deepEqual(more, []);
    assert.deepEqual([bought.amount.amount, rounded.amount.amount], [-1234, -66]);
    assert.deepEqual(
      [rounded.id, rounded.description, rounded.reference, rounded.class, rounded.primary_category],
      ['txn_up_t-1:round-up', 'Round Up', 'Second Crack', 'transfer', 'TRANSFER_OUT'],
    );
    assert.deepEqual([rounded.date, rounded.status], [bought.date, 'posted']);
    const held = mapTransaction(
      wireTransaction('t-1', { status: 'HELD', settledAt: null, roundUp }),
      CONTEXT,
    );
    assert.equal(new Set(held.map(({ id }) => id)).size, 2);
    assert.ok(held.every(({ id }) => id.startsWith('txn_up_held-')));
  });

  it('between accounts of the person is a transfer in the direction of its sign', () => {
    const transferAccount = { data: { type: 'accounts', id: 'acc-2' } };
    const relationships = { transferAccount, category: { data: null } };
    const out = one(wireTransaction('t', {}, relationships));
    assert.deepEqual(
      [out.class, out.primary_category, out.provider_category],
      ['transfer', 'TRANSFER_OUT', 'TRANSFER_OUT_ACCOUNT_TRANSFER'],
    );
    const back = one(wireTransaction('t', { amount: wireMoney(500) }, relationships));
    assert.deepEqual([back.primary_category, back.direction], ['TRANSFER_IN', 'credit']);
  });

  it('that is no purchase by card names no merchant, and keeps foreign amounts out', () => {
    const row = one(
      wireTransaction('t', { cardPurchaseMethod: null, foreignAmount: wireMoney(-800, 'USD') }),
    );
    assert.equal(row.merchant_name, null);
    assert.deepEqual(row.amount, { amount: -1234, currency: 'aud' });
  });

  it('falls on the day its account’s zone has, around changes of the clock, leap days and new year', () => {
    for (const [createdAt, day] of [
      ['2026-04-05T02:30:00+11:00', '2026-04-05'],
      ['2026-04-05T02:30:00+10:00', '2026-04-05'],
      ['2026-04-04T13:30:00Z', '2026-04-05'],
      ['2026-04-05T14:30:00Z', '2026-04-06'],
      ['2026-10-03T15:59:59Z', '2026-10-04'],
      ['2026-10-04T12:59:59Z', '2026-10-04'],
      ['2026-10-04T13:00:00Z', '2026-10-05'],
      ['2028-02-28T13:00:00Z', '2028-02-29'],
      ['2026-12-31T12:59:59Z', '2026-12-31'],
      ['2026-12-31T13:00:00Z', '2027-01-01'],
    ] as const) {
      const row = one(wireTransaction('t', { createdAt, settledAt: createdAt }));
      assert.deepEqual([row.date, row.post_date, row.datetime], [day, day, createdAt]);
    }
  });

  it('is refused without an id, a moment or an amount that is one', () => {
    refused(() => mapTransaction(wireTransaction(null), CONTEXT));
    refused(() => mapTransaction(wireTransaction('t', { createdAt: null, settledAt: null }), CONTEXT));
    refused(() => mapTransaction(wireTransaction('t', { createdAt: 'yesterday', settledAt: 'x' }), CONTEXT));
    assert.equal(one(wireTransaction('t', { createdAt: '9999-12-31T23:59:59Z' })).date, '2026-01-17');
    assert.equal(one(wireTransaction('t', { settledAt: '9999-12-31T23:59:59Z' })).post_datetime, null);
    const amounts = [
      null,
      '12.34',
      { currencyCode: 'AUD', valueInBaseUnits: 1234 },
      { currencyCode: 'AUD', value: 12.34, valueInBaseUnits: 1234 },
      { currencyCode: 'AUD', value: '12,34', valueInBaseUnits: 1234 },
      { currencyCode: 'AUD', value: '12.34', valueInBaseUnits: 1243 },
      { currencyCode: 'dollars', value: '12.34' },
      { value: '12.34', valueInBaseUnits: 1234 },
    ];
    for (const amount of amounts) refused(() => mapTransaction(wireTransaction('t', { amount }), CONTEXT));
    refused(() => mapTransaction(wireTransaction('t', { roundUp: { amount: null } }), CONTEXT));
  });

  it('never loses or gains a cent, whatever the amount, and is refused where its two amounts differ', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e15, max: 1e15 }), fc.integer({ min: 1, max: 1e6 }), (cents, off) => {
        const row = one(wireTransaction('t', { amount: wireMoney(cents) }));
        assert.equal(row.amount.amount, cents === 0 ? 0 : cents);
        assert.equal(row.amount_decimal, wireMoney(cents).value);
        assert.equal(row.direction, cents < 0 ? 'debit' : 'credit');
        const amount = { ...wireMoney(cents), valueInBaseUnits: cents + off };
        refused(() => mapTransaction(wireTransaction('t', { amount }), CONTEXT));
      }),
    );
  });
});

describe('The categories of Up', () => {
  const known = new Set(PROVIDER_CATEGORIES.map(({ code }) => code));

  it('each have a code of ours, and are those that Up has', () => {
    assert.deepEqual(KNOWN_CATEGORIES.toSorted(), Object.values(CHILDREN).flat().toSorted());
    for (const category of KNOWN_CATEGORIES) {
      const codes = codesOf(category);
      assert.ok(codes !== null && known.has(codes.code) && known.has(codes.primary), category);
      assert.ok(codes.code.startsWith(codes.primary));
    }
  });

  it('that are parents, or yet to come, have none', () => {
    for (const id of ['good-life', 'time-travel', 'constructor', '']) {
      const row = one(wireTransaction('t', {}, { category: { data: { type: 'categories', id } } }));
      assert.deepEqual([row.provider_category, row.primary_category], [null, null]);
    }
    assert.equal(codesOf(null), null);
  });
});

describe('An account of Up', () => {
  it('has no number, and the type that its kind says', () => {
    for (const [accountType, type] of [
      ['TRANSACTIONAL', 'transaction'],
      ['SAVER', 'savings'],
      ['HOME_LOAN', 'loan'],
      ['CRYPTO', 'other'],
    ] as const) {
      assert.deepEqual(mapAccount(wireAccount('acc-1', { accountType })), {
        id: 'acc-1',
        formerIds: [],
        available: true,
        name: 'Spending',
        type,
        maskedNumber: null,
        fullNumber: null,
        currency: 'aud',
      });
    }
  });

  it('has one balance, negative where money is owed', () => {
    const { current, available, currentDecimal } = mapBalance(
      wireAccount('acc-1', { balance: wireMoney(-48_012_345) }),
    );
    assert.deepEqual(current, { amount: -48_012_345, currency: 'aud' });
    assert.deepEqual(available, current);
    assert.equal(currentDecimal, '-480123.45');
  });

  it('keeps no NUL of a name, and no more of it than names of ours may have', () => {
    const { name } = mapAccount(wireAccount('acc-1', { displayName: `A\0B${'c'.repeat(5_000)}` }));
    assert.ok(name.startsWith('ABc') && name.length < 1_000);
  });

  it('is refused without an id, and in dollars without a balance', () => {
    refused(() => mapAccount({ ...wireAccount('x'), id: null }));
    refused(() => mapAccount(wireAccount('x'.repeat(300))));
    assert.equal(mapAccount(wireAccount('acc-1', { balance: null })).currency, 'aud');
  });
});
