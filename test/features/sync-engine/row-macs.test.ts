import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { RowMacs } from '../../../src/features/sync-engine/compare/row-macs.ts';
import { plainRow, plainTrade } from '../../../src/features/sync-engine/read/source-row.ts';
import { RowPlaces } from '../../../src/features/syncs/row-places.ts';
import { localDate } from '../../../src/vocabulary/moments.ts';
import { posted } from './support/bank.ts';

const macs = new RowMacs(Buffer.alloc(32, 7));
const DAY = localDate('2026-05-02');
const AT = `${DAY}T10:00:00+10:00`;
const ROW = plainRow(posted(7, { date: DAY, datetime: AT, post_date: DAY, post_datetime: AT }));
const TRADE = plainTrade({
  id: 'trd_1',
  symbol: 'ABC',
  name: 'Abc',
  type: 'buy',
  quantity: '3',
  currency: 'aud',
  price: null,
  total_amount: null,
  fees: null,
  trade_date: DAY,
  trade_datetime: null,
  settlement_date: null,
  settlement_datetime: null,
  description: 'bought',
});
const fieldsOf = (type: 'transactions' | 'trades', columns: string[] | null) =>
  new RowPlaces({ type, account_mappings: [], category_mappings: [], columns }).fields;

describe('the MAC of a row', () => {
  test('of the standard columns is what ledgers have had since before columns could be chosen', () => {
    const fields = fieldsOf('transactions', null);
    assert.deepEqual(
      [
        macs.content(ROW, { place: [], fields: fields, generation: 0 }),
        macs.content(ROW, { place: ['12', null], fields: fields, generation: 0 }),
        macs.content({ ...ROW, memo: 'm', tags: ['t'] }, { place: [], fields: fields, generation: 0 }),
        macs.content(TRADE, { place: [], fields: fieldsOf('trades', null), generation: 0 }),
      ],
      [
        'b81ef9fede0661949620318e',
        'b26805b96676fd5a441b5098',
        '951a8fe1c3d6270e0f31fd7e',
        '6844d890fc6319b21f05f7f4',
      ],
    );
  });

  test('differs where other fields are shown, and not where their order or the id alone does', () => {
    const mac = (columns: string[] | null) =>
      macs.content(ROW, { place: [], fields: fieldsOf('transactions', columns), generation: 0 });
    const some = mac(['date', 'amount']);
    assert.equal(mac(['amount', 'date']), some);
    assert.equal(mac(['transaction_id', 'date', 'amount']), some);
    const others = [mac(null), mac(['date']), mac(['date', 'amount', 'memo']), mac(['transaction_id'])];
    assert.equal(new Set([some, ...others]).size, 5);
    const trade = (columns: string[]) =>
      macs.content(TRADE, { place: [], fields: fieldsOf('trades', columns), generation: 0 });
    assert.notEqual(trade(['symbol']), trade(['symbol', 'date']));
  });

  test('does not take a place for chosen fields', () => {
    assert.notEqual(
      macs.content(ROW, { place: ['amount'], fields: null, generation: 0 }),
      macs.content(ROW, { place: [], fields: ['amount'], generation: 0 }),
    );
  });
});
