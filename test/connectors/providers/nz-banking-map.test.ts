import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { isWireObject, parseExact, type WireObject } from '../../../src/connectors/providers/kit/json.ts';
import {
  hasTransactions,
  mapAccount,
  mapBalance,
} from '../../../src/connectors/providers/nz-banking/map-account.ts';
import { categoryOf } from '../../../src/connectors/providers/nz-banking/map-category.ts';
import { mapSettled, PendingRows } from '../../../src/connectors/providers/nz-banking/map-transaction.ts';

const CONTEXT = { account: 'acc_1', timezone: 'Pacific/Auckland', currency: 'nzd' };

/** A row as it comes off the wire: with its numbers as they are written. */
function wire(text: string): WireObject {
  const parsed = parseExact(text);
  assert.ok(isWireObject(parsed));
  return parsed;
}

function account(more: Record<string, unknown> = {}): WireObject {
  return wire(
    JSON.stringify({
      _id: 'acc_1',
      _authorisation: 'auth_1',
      connection: { _id: 'conn_1', name: 'Bank' },
      name: 'Everyday',
      status: 'ACTIVE',
      formatted_account: '12-3456-0123456-50',
      type: 'CHECKING',
      attributes: ['TRANSACTIONS'],
      balance: { currency: 'NZD', current: 12.5, available: 10 },
      ...more,
    }),
  );
}

function row(more: Record<string, unknown> = {}): WireObject {
  return wire(
    JSON.stringify({
      _id: 'trans_1',
      _account: 'acc_1',
      date: '2026-11-19T11:00:00.000Z',
      description: 'COFFEE',
      amount: -4.5,
      type: 'EFTPOS',
      ...more,
    }),
  );
}

const malformed = { situation: 'malformed' };

describe('An account of Akahu', () => {
  it('shows the last digits of the account part, and keeps the whole number for matching alone', () => {
    const mapped = mapAccount(account());
    assert.equal(mapped.maskedNumber, 'xxxx3456');
    assert.equal(mapped.fullNumber, '123456012345650');
    const card = mapAccount(account({ formatted_account: '4000-****-****-9021', type: 'CREDITCARD' }));
    assert.deepEqual([card.maskedNumber, card.fullNumber, card.type], ['xxxx9021', null, 'credit-card']);
    const bare = mapAccount(account({ formatted_account: undefined }));
    assert.deepEqual([bare.maskedNumber, bare.fullNumber], [null, null]);
  });

  it('has a type of ours, also where the vendor adds one', () => {
    const types = {
      CHECKING: 'transaction',
      SAVINGS: 'savings',
      CREDITCARD: 'credit-card',
      LOAN: 'loan',
      KIWISAVER: 'investment',
      INVESTMENT: 'investment',
      TERMDEPOSIT: 'term-deposit',
      FOREIGN: 'transaction',
      TAX: 'other',
      REWARDS: 'other',
      WALLET: 'transaction',
      CARRIER_PIGEON: 'other',
    };
    for (const [type, expected] of Object.entries(types))
      assert.equal(mapAccount(account({ type })).type, expected, type);
  });

  it('names the account that it followed when the bank moved', () => {
    assert.deepEqual(mapAccount(account({ _migrated: 'acc_0' })).formerIds, ['acc_0']);
    assert.deepEqual(mapAccount(account()).formerIds, []);
  });

  it('says when its balance or its rows were last copied, whichever was later, where the vendor says so', () => {
    const [early, late] = ['2026-11-19T11:00:00.000Z', '2026-11-19T12:00:00.000Z'];
    const of = (refreshed: object | undefined) => mapAccount(account({ refreshed })).refreshedAt;
    assert.equal(of({ balance: early, transactions: late }), Date.parse(late));
    assert.equal(of({ balance: late, transactions: early, meta: '2026-11-20T00:00:00Z' }), Date.parse(late));
    assert.equal(of({ balance: early }), Date.parse(early));
    for (const none of [undefined, {}, { balance: 'yesterday' }, { meta: early }])
      assert.ok(!('refreshedAt' in mapAccount(account({ refreshed: none }))));
  });

  it('is refused without an id', () => {
    assert.throws(() => mapAccount(account({ _id: undefined })), malformed);
  });

  it('has the currency of the country where its own is none, and neither balance nor rows that are no money', () => {
    for (const currency of ['POINTS', 'dollars']) {
      const points = account({ type: 'REWARDS', balance: { currency, current: 4200 } });
      assert.equal(mapAccount(points).currency, 'nzd', currency);
      const { unreadable, ...rest } = mapBalance(points, false);
      assert.deepEqual(Object.values(rest), [null, null, null, null, null], currency);
      assert.deepEqual(unreadable, { field: 'currency', reason: 'unreadable' });
      assert.equal(hasTransactions(points), false, currency);
    }
    assert.equal(hasTransactions(account()), true);
  });
});

describe('A balance of Akahu', () => {
  it('keeps every digit that was sent, and has the decimals of its currency', () => {
    const { current, currentDecimal, available } = mapBalance(account(), false);
    assert.deepEqual(current, { amount: 1250, currency: 'nzd' });
    assert.equal(currentDecimal, '12.50');
    assert.deepEqual(available, { amount: 1000, currency: 'nzd' });
    const exact = wire('{"type":"CHECKING","balance":{"currency":"NZD","current":9007199254740.993}}');
    assert.equal(mapBalance(exact, false).currentDecimal, '9007199254740.993');
    const yen = mapBalance(account({ balance: { currency: 'JPY', current: 9000 } }), false);
    assert.deepEqual([yen.currentDecimal, yen.current?.amount], ['9000', 9000]);
  });

  it('says what a positive figure means where the bank is known or the limit tells', () => {
    const positive = (balance: Record<string, unknown>, known: boolean) =>
      mapBalance(account({ type: 'CREDITCARD', balance: { currency: 'NZD', ...balance } }), known).positive;
    assert.deepEqual(positive({ current: 640.1 }, true), { means: 'owed', by: 'bank' });
    assert.equal(positive({ current: 640.1 }, false), undefined);
    const card = { current: 640.1, available: 11_359.9, limit: 12_000 };
    assert.deepEqual(positive(card, false), { means: 'owed', by: 'limit' });
    const overpaid = { ...card, available: 12_640.1 };
    assert.deepEqual(positive(overpaid, false), { means: 'in_credit', by: 'limit' });
    for (const limit of ['much', null, 0, -5])
      assert.deepEqual(positive({ ...card, limit }, false), undefined, `${limit}`);
    assert.equal(
      mapBalance(account({ balance: { currency: 'NZD', ...card, limit: 'much' } }), false).unreadable,
      undefined,
    );
  });

  it('of nothing has no sign', () => {
    for (const turned of [false, true]) {
      const none = wire('{"type":"LOAN","balance":{"currency":"NZD","current":-0,"available":-0.0}}');
      const { current, currentDecimal, availableDecimal } = mapBalance(none, turned);
      assert.deepEqual([current?.amount, currentDecimal, availableDecimal], [0, '0.00', '0.00']);
    }
  });

  it('is empty where the bank gives none, and says why where it cannot be read', () => {
    assert.equal(mapBalance(account({ balance: undefined }), false).current, null);
    const { current, unreadable } = mapBalance(
      account({ balance: { currency: 'NZD', current: 'much' } }),
      false,
    );
    assert.deepEqual([current, unreadable], [null, { field: 'current', reason: 'unreadable' }]);
  });
});

describe('A settled row of Akahu', () => {
  it('falls on the day in New Zealand, in summer and in winter and on the days the clocks change', () => {
    const days = {
      '2026-01-14T11:00:00.000Z': '2026-01-15',
      '2026-07-14T12:00:00.000Z': '2026-07-15',
      // Clocks go back on 5 April 2026, and forward on 27 September.
      '2026-04-04T11:00:00.000Z': '2026-04-05',
      '2026-04-05T11:59:59.999Z': '2026-04-05',
      '2026-04-05T12:00:00.000Z': '2026-04-06',
      '2026-09-26T12:00:00.000Z': '2026-09-27',
      '2026-09-27T10:59:59.999Z': '2026-09-27',
      '2026-09-27T11:00:00.000Z': '2026-09-28',
      '2025-12-31T11:00:00.000Z': '2026-01-01',
      '2028-02-28T11:00:00.000Z': '2028-02-29',
    };
    for (const [date, day] of Object.entries(days)) {
      const mapped = mapSettled(row({ date }), CONTEXT);
      assert.deepEqual([mapped.date, mapped.post_date, mapped.datetime], [day, day, date]);
    }
  });

  it('keeps its amount exactly, with the decimals and the currency of the account', () => {
    const mapped = mapSettled(row(), CONTEXT);
    assert.deepEqual([mapped.amount, mapped.amount_decimal], [{ amount: -450, currency: 'nzd' }, '-4.50']);
    const small = wire('{"_id":"t","_account":"acc_1","date":"2026-11-19T11:00:00Z","amount":1.5e-7}');
    assert.equal(mapSettled(small, CONTEXT).amount_decimal, '0.00000015');
    const nothing = wire('{"_id":"t","_account":"acc_1","date":"2026-11-19T11:00:00Z","amount":-0}');
    const { amount, amount_decimal: text, direction } = mapSettled(nothing, CONTEXT);
    assert.deepEqual([amount.amount, text, direction], [0, '0.00', 'credit']);
    const yen = mapSettled(row({ amount: -9000 }), { ...CONTEXT, currency: 'jpy' });
    assert.deepEqual([yen.amount, yen.amount_decimal], [{ amount: -9000, currency: 'jpy' }, '-9000']);
  });

  it('carries the details of the payment, the merchant and its former id', () => {
    const mapped = mapSettled(
      row({
        _migrated: 'trans_0',
        merchant: { name: 'Two Tūī' },
        meta: { particulars: 'RENT', code: 'MAY', reference: 'FLAT 3' },
      }),
      CONTEXT,
    );
    assert.equal(mapped.id, 'txn_ak_trans_1');
    assert.deepEqual(mapped.former_ids, ['txn_ak_trans_0']);
    assert.deepEqual(
      [mapped.merchant_name, mapped.reference, mapped.extended_description],
      ['Two Tūī', 'FLAT 3', 'RENT MAY'],
    );
  });

  it('has a class by its type, also where the vendor adds one', () => {
    const classes = {
      CREDIT: 'other',
      DEBIT: 'other',
      PAYMENT: 'payment',
      TRANSFER: 'transfer',
      'STANDING ORDER': 'payment',
      EFTPOS: 'payment',
      INTEREST: 'interest',
      FEE: 'fee',
      'CREDIT CARD': 'payment',
      TAX: 'payment',
      'DIRECT DEBIT': 'payment',
      'DIRECT CREDIT': 'transfer',
      ATM: 'other',
      LOAN: 'payment',
      BARTER: 'other',
    };
    for (const [type, expected] of Object.entries(classes))
      assert.equal(mapSettled(row({ type }), CONTEXT).class, expected, type);
  });

  it('is refused without id, date or amount, and where it is of another account', () => {
    for (const change of [
      { _id: undefined },
      { _id: 'x'.repeat(201) },
      { date: undefined },
      { date: '2026-11-19' },
      { amount: undefined },
      { amount: 'much' },
      { _account: 'acc_2' },
    ])
      assert.throws(() => mapSettled(row(change), CONTEXT), malformed, JSON.stringify(change));
  });
});

describe('A pending row of Akahu', () => {
  const ids = (...rows: readonly WireObject[]) => {
    const pending = new PendingRows(CONTEXT);
    return rows.map((one) => pending.map(one).id);
  };

  it('has an id that holds while the row is unchanged, and is another once anything changes', () => {
    const [first] = ids(row({ _id: undefined }));
    assert.match(first ?? '', /^txn_ak_pend_[0-9a-f]{32}$/);
    assert.deepEqual(ids(row({ _id: undefined })), [first]);
    assert.deepEqual(ids(row({ updated_at: '2026-11-20T00:00:00Z' })), [first]);
    const changes = [
      { amount: -4.6 },
      { description: 'TEA' },
      { type: 'ATM' },
      { date: '2026-11-18T11:00:00Z' },
    ];
    for (const change of changes) assert.notDeepEqual(ids(row(change)), [first]);
  });

  it('is told apart from an equal one by its place among equals, wherever others stand', () => {
    const [one, two] = ids(row(), row());
    assert.notEqual(one, two);
    assert.deepEqual(ids(row({ description: 'TEA' }), row(), row()).slice(1), [one, two]);
  });

  it('is pending, without a day of posting, and may have no day at all', () => {
    const mapped = new PendingRows(CONTEXT).map(row({ date: undefined }));
    assert.deepEqual(
      [mapped.status, mapped.date, mapped.datetime, mapped.post_date, mapped.post_datetime],
      ['pending', null, null, null, null],
    );
  });
});

describe('A category of the NZFCC', () => {
  const inGroup = (group: string) => ({
    category: { _id: 'nzfcc_of_tomorrow', groups: { personal_finance: { name: group } } },
  });

  it('is known by its id, whatever its name or the row says', () => {
    const fuel = { _id: 'nzfcc_ckouvvytq003o08mlbcy57jft', name: 'Renamed' };
    assert.equal(categoryOf(row({ category: fuel, type: 'FEE' }), '', true), 'TRANSPORTATION');
  });

  it('of a later edition is known by its group, and without one by the type of the row', () => {
    assert.equal(categoryOf(row(inGroup('Food')), '', true), 'FOOD_AND_DRINK');
    assert.equal(categoryOf(row({ ...inGroup('Income'), type: 'FEE' }), '', true), 'BANK_FEES');
  });

  it('is decided by the type where there is none: fees, interest, debts, transfers, pay', () => {
    const of = (type: string, out: boolean, description = '') => categoryOf(row({ type }), description, out);
    assert.equal(of('FEE', true), 'BANK_FEES');
    assert.deepEqual([of('INTEREST', false), of('INTEREST', true)], ['INCOME', 'BANK_FEES']);
    assert.deepEqual([of('TRANSFER', false), of('TRANSFER', true)], ['TRANSFER_IN', 'TRANSFER_OUT']);
    assert.deepEqual([of('LOAN', true), of('LOAN', false)], ['LOAN_PAYMENTS', null]);
    assert.deepEqual([of('CREDIT CARD', true), of('CREDIT CARD', false)], ['LOAN_PAYMENTS', null]);
    assert.equal(of('TAX', true), 'GOVERNMENT_AND_NON_PROFIT');
    assert.equal(of('ATM', true), 'TRANSFER_OUT');
    assert.equal(of('DIRECT CREDIT', false, 'KERERU WORKS SALARY'), 'INCOME');
    assert.equal(of('DIRECT CREDIT', false, 'FROM A FRIEND'), null);
    assert.equal(of('EFTPOS', true), null);
  });

  const list = new URL('../../../../shared/contracts/nzfcc/', import.meta.url);
  const skip = existsSync(list) ? false : 'the published list is not beside the project';

  it('is mapped for every category of the published list, as the mapping beside it says', { skip }, () => {
    const read = (name: string) => JSON.parse(readFileSync(new URL(name, list), 'utf8'));
    const { by_name: names } = read('nzfcc-to-primary.json');
    const categories = read('categories.json');
    assert.ok(categories.length > 150);
    for (const category of categories)
      assert.equal(categoryOf(row({ category }), '', true), names[category.name], category.name);
  });
});
