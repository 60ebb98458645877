import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { packId, unpackId } from '../../src/storage/packed-ids.ts';
import { PROVIDER_IDENTIFIERS, providerRowId } from '../../src/vocabulary/provider-kinds.ts';

const body = fc.oneof(
  fc.string({ minLength: 1, maxLength: 40, unit: 'binary' }),
  fc.stringMatching(/^[0-9a-f]{1,70}$/),
  fc.stringMatching(/^[A-Za-z0-9_-]{1,70}$/),
  fc.uuid(),
  fc.uuid().map((uuid) => uuid.toUpperCase()),
);
const upstream = fc
  .tuple(fc.constantFrom('', 'bank_tx_', 'bank_tx_s_', 'trans_', 'bank_tx'), body)
  .map((parts) => parts.join(''));
const id = fc
  .tuple(fc.constantFrom(...PROVIDER_IDENTIFIERS), upstream)
  .map(([provider, text]) => providerRowId('transaction', provider, text));

const bytesOf = (packed: string): Buffer => Buffer.from(packed, 'hex');

test('an id comes out of the ledger as it went in, whatever a vendor calls its rows', () => {
  fc.assert(
    fc.property(id, (text) => {
      const packed = packId(text);
      assert.match(packed, /^(?:[0-9a-f]{2})+$/);
      assert.equal(unpackId(bytesOf(packed)), text);
    }),
    { numRuns: 2_000 },
  );
});

test('two ids are never written the same way', () => {
  fc.assert(
    fc.property(id, id, (one, other) => {
      assert.equal(packId(one) === packId(other), one === other);
    }),
    { numRuns: 2_000 },
  );
});

test('an id is read out of the middle of other bytes', () => {
  const packed = bytesOf(`ffff${packId('txn_ak_trans_cjld2cjxh0000qzrmn831i7rn')}`);
  assert.equal(unpackId(packed.subarray(2)), 'txn_ak_trans_cjld2cjxh0000qzrmn831i7rn');
});

test('ids stay written as they were: what is stored does not change with the code', () => {
  const digest = '0123456789abcdef'.repeat(4);
  const written: Readonly<Record<string, string>> = {
    [`txn_fk_bank_tx_${digest}`]: `11${digest}`,
    [`txn_fk_bank_tx_s_${digest}`]: `19${digest}`,
    txn_ak_trans_cjld2cjxh0000qzrmn831i7rn: '2e72395dd9c8f1874d34d2aceb9a7f37d62eeb9c0000',
    'txn_st_2f1c1c1e-7b5e-4a57-9a0f-1d1b4c0d9e11': '322f1c1c1e7b5e4a579a0f1d1b4c0d9e11',
    'txn_fk_a~c3~a9': '08617e63337e6139',
    txn_fk_TX: '0d4d7000',
    row: '04ae8c00',
    'another.kind:of': '00616e6f746865722e6b696e643a6f66',
  };
  for (const [text, packed] of Object.entries(written)) {
    assert.equal(packId(text), packed, text);
    assert.equal(unpackId(bytesOf(packed)), text);
  }
});

test('the digests that banks use for ids take 33 bytes', () => {
  assert.equal(packId(`txn_fk_bank_tx_${'ab'.repeat(32)}`).length, 66);
});

test('bytes of an unknown form are refused', () => {
  assert.throws(() => unpackId(bytesOf('ff00')), TypeError);
  assert.throws(() => unpackId(bytesOf('0700')), TypeError);
  assert.throws(() => unpackId(new Uint8Array()), TypeError);
});
