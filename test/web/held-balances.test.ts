import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleId } from '../../src/operations/v2/docs/examples.ts';
import { earliestAgain, HeldBalances } from '../../web/src/api/held-balances.ts';

const START = Date.parse('2026-11-28T07:55:00.000Z');
const MINUTE_MS = 60_000;
const ACCOUNT = exampleId('account');

const base = {
  object: 'balance',
  account: ACCOUNT,
  currency: 'aud',
  unreadable: null,
  balance_sign: null,
  livemode: true,
} as const;
const fresh = {
  ...base,
  current: { amount: 12_345, currency: 'aud' },
  available: null,
  observed_at: new Date(START).toISOString(),
  freshness: 'fresh',
  retry_after_seconds: null,
} as const;
const refused = (seconds: number | null) =>
  ({
    ...base,
    current: null,
    available: null,
    observed_at: null,
    freshness: 'unavailable',
    retry_after_seconds: seconds,
  }) as const;

test('a figure that was just read stays, with its age, until the bank can be asked again', () => {
  const held = new HeldBalances();
  held.settle(fresh, START);
  const shown = held.settle(refused(840), START + MINUTE_MS);
  assert.deepEqual(shown, { ...fresh, again: '2026-11-28T08:10:00.000Z' });
  const later = { ...fresh, current: { amount: 1, currency: 'aud' } };
  assert.deepEqual(held.settle(later, START + 15 * MINUTE_MS), { ...later, again: null });
});

test('nothing stands in for a balance that was never read, that is an hour old, or whose sign changed', () => {
  assert.deepEqual(new HeldBalances().settle(refused(866), START), {
    ...refused(866),
    again: '2026-11-28T08:09:26.000Z',
  });
  const held = new HeldBalances();
  held.settle(fresh, START);
  assert.equal(held.settle({ ...refused(60), balance_sign: 'owed' }, START).current, null);
  assert.equal(held.settle(refused(60), START + 61 * MINUTE_MS).current, null);
});

test('nothing stands in where it is not known when the bank can be asked again, as after a consent ended', () => {
  const held = new HeldBalances();
  held.settle(fresh, START);
  assert.deepEqual(held.settle(refused(null), START), { ...refused(null), again: null });
});

test('the page waits for the bank that can be asked first', () => {
  const held = new HeldBalances();
  const read = [refused(900), refused(60), refused(null)].map((one) => held.settle(one, START));
  assert.equal(earliestAgain(read), '2026-11-28T07:56:00.000Z');
  assert.equal(earliestAgain([]), null);
});

test('the balances of a thousand accounts are held, and of no more', () => {
  const held = new HeldBalances();
  for (let at = 0; at <= 1_000; at++) held.settle({ ...fresh, account: `acct_${at}` }, START);
  assert.equal(held.settle({ ...refused(60), account: 'acct_0' }, START).current, null);
  assert.notEqual(held.settle({ ...refused(60), account: 'acct_1' }, START).current, null);
});
