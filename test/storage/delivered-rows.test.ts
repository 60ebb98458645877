import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packDelivered, unpackDelivered } from '../../src/storage/delivered-rows.ts';
import { rowId } from '../../src/vocabulary/ids.ts';

const account = (last: string) => rowId('account', `0192f0c4-8c4c-7419-a50f-0f8f4934420${last}`);
const row = (id: string, more: { removed?: boolean; replaces?: string } = {}) => ({
  id,
  removed: more.removed ?? false,
  replaces: more.replaces ?? null,
});

const DELIVERED = [
  {
    account: account('7'),
    days: { first: -3, last: 20_600 },
    rows: [
      row('txn_fk_00ff'),
      row('txn_fk_bank_tx_a', { replaces: 'txn_fk_pend é' }),
      row('', { removed: true }),
    ],
  },
  { account: account('8'), days: null, rows: [row('trd_st_7')] },
  { account: account('9'), days: { first: 0, last: 0 }, rows: [] },
];

test('rows of a delivery are found again as they were packed, whatever their ids are made of', () => {
  assert.deepEqual(unpackDelivered(packDelivered(DELIVERED)), DELIVERED);
  assert.deepEqual(unpackDelivered(packDelivered([])), []);
});

test('a form that this version does not know is refused', () => {
  const packed = packDelivered(DELIVERED);
  packed.writeUInt8(2, 0);
  assert.throws(() => unpackDelivered(packed), TypeError);
});

test('five hundred rows of digests take less than twenty kilobytes', () => {
  const rows = Array.from({ length: 500 }, (_, at) => row(`txn_fk_${at.toString(16).padStart(64, '0')}`));
  assert.ok(packDelivered([{ account: account('7'), days: null, rows }]).length < 20_000);
});
