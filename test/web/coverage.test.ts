import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coverageOf, currenciesOf, type ReadAccount } from '../../web/src/accounts/coverage.ts';
import type { Movement } from '../../web/src/accounts/net-position.ts';
import type { RowAside } from '../../web/src/api/held-rows.ts';

const FROM = '2026-09-01';
const movement = (currency: string): Movement => ({
  account: 'one',
  day: '2026-10-01',
  spentOn: '2026-10-01',
  amount: -5n,
  currency,
  category: null,
  code: null,
  merchant: { key: 'grocer', name: 'Grocer' },
});
const BROKEN: readonly RowAside[] = [
  { id: 'txn_1', day: '2026-10-02', field: 'amount', reason: 'unreadable' },
  { id: null, day: null, field: 'date', reason: 'missing' },
  { id: 'txn_2', day: '2026-08-31', field: 'amount', reason: 'missing' },
];
const account = (name: string, more: Partial<ReadAccount> = {}): ReadAccount => ({
  name,
  balance: { amount: 100n, currency: 'aud' },
  isUnverified: false,
  history: { from: FROM, movements: [movement('aud')], aside: [] },
  ...more,
});

test('an account is part of the line, or is named with the reason why it is not', () => {
  const coverage = coverageOf(
    [
      account('Everyday'),
      account('Closed bank', { history: null }),
      account('No balance', { balance: null }),
      account('Owed or not', { isUnverified: true }),
      account('Busy', { history: { from: '2026-10-01', movements: [movement('aud')], aside: BROKEN } }),
      account('Dormant', { history: { from: FROM, movements: [], aside: [] } }),
      account('Yen', { balance: { amount: 7n, currency: 'jpy' } }),
    ],
    'aud',
    FROM,
  );
  assert.deepEqual(
    coverage.known.map(({ from, movements }) => [from, movements.length]),
    [
      [FROM, 1],
      ['2026-10-01', 1],
      [FROM, 0],
    ],
  );
  const { known: _, ...named } = coverage;
  assert.deepEqual(named, {
    withoutBalance: ['No balance'],
    unverified: ['Owed or not'],
    unread: ['Closed bank'],
    short: ['Busy'],
    aside: [{ name: 'Busy', rows: BROKEN.slice(0, 2) }],
    still: ['Dormant'],
  });
});

test('movements in another currency than the balance move no line, and each currency is there once', () => {
  const mixed = account('Mixed', {
    history: { from: FROM, movements: [movement('usd'), movement('usd')], aside: [] },
  });
  assert.deepEqual(coverageOf([mixed], 'aud', FROM).known[0]?.movements, []);
  assert.deepEqual(coverageOf([mixed], 'aud', FROM).still, ['Mixed']);
  assert.deepEqual(currenciesOf([mixed, account('Everyday')]), ['aud', 'usd']);
  assert.deepEqual(currenciesOf([]), []);
  const unread = account('Unread', { history: null, balance: { amount: 1n, currency: 'nzd' } });
  assert.deepEqual(currenciesOf([unread, unread, account('Everyday')]), ['aud', 'nzd']);
});
