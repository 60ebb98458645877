import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TransactionRow } from '../../../../src/connectors/destinations/delivery-rows.ts';
import {
  decodeRow,
  encodeRow,
  importIds,
  isOwnImportId,
  isPendingImportId,
} from '../../../../src/connectors/destinations/ynab/rows.ts';
import { rowId } from '../../../../src/vocabulary/ids.ts';
import { pending, posted } from '../../../features/sync-engine/support/bank.ts';

const [ONE, OTHER] = ['1', '2'].map((end) => rowId('account', `0192f0c4-0000-7000-8000-00000000000${end}`));
const CATEGORIES = new Map([
  ['FOOD_AND_DRINK', 'primary'],
  ['TRAVEL_FLIGHTS', 'own'],
]);

function shown(transaction: TransactionRow['transaction'], more: Partial<TransactionRow> = {}) {
  const id = ONE ?? assert.fail();
  const account = { id, name: 'A', institution: 'B', type: 'transaction', maskedNumber: 'xxxx1234' } as const;
  const row: TransactionRow = {
    kind: 'transaction',
    account,
    transaction,
    customCategory: null,
    memo: null,
    tags: [],
    replaces: null,
    ...more,
  };
  return decodeRow(encodeRow(row, CATEGORIES));
}

describe('a row as YNAB is to show it', () => {
  test('has the merchant as payee, else the description', () => {
    assert.equal(shown(posted(1)).payee, 'row 1');
    assert.equal(shown(posted(1, { merchant_name: 'Shop' })).payee, 'Shop');
  });

  test('has what a rule noted before the description', () => {
    assert.equal(shown(posted(1)).memo, 'row 1');
    assert.equal(shown(posted(1), { memo: 'Claim this' }).memo, 'Claim this | row 1');
    assert.equal(shown(posted(1, { description: '' }), { memo: 'Claim this' }).memo, 'Claim this');
  });

  test('has the category mapped from the provider’s own code, else from the primary one', () => {
    assert.equal(shown(posted(1)).category, 'primary');
    assert.equal(shown(posted(1, { provider_category: 'TRAVEL_FLIGHTS' })).category, 'own');
    const neither = posted(1, { provider_category: null, primary_category: null });
    assert.equal(shown(neither, { customCategory: 'Mine' }).category, null);
  });

  test('is cleared once it posted, and has the day of posting where it has no other', () => {
    assert.deepEqual([shown(posted(1)).cleared, shown(pending(1)).cleared], ['cleared', 'uncleared']);
    assert.equal(shown(posted(1, { date: null })).date, posted(1).post_date);
  });
});

test('an import id is 35 characters, the same for the same row, and another for every other row or account', () => {
  const [one = assert.fail(), other = assert.fail()] = [ONE, OTHER];
  const all = [importIds(one, 'txn_1'), importIds(one, 'txn_2'), importIds(other, 'txn_1')];
  const ids = all.flatMap(({ posted: ids, pending: more }) => [...ids, ...more]);
  assert.equal(new Set(ids).size, ids.length);
  assert.ok(ids.every((id) => id.length === 35 && isOwnImportId(id)));
  assert.deepEqual(importIds(one, 'txn_1'), all[0]);
  for (const { posted: ids, pending: more } of all) {
    assert.ok(!ids.some(isPendingImportId) && more.every(isPendingImportId));
    assert.match(ids[0] ?? '', /^s1:/, 'the id under which everything was imported so far');
  }
  for (const id of [null, undefined, 'YNAB:-1000:2026-01-01:1', 's1:short']) assert.ok(!isOwnImportId(id));
});
