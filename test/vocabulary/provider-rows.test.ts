import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  PROVIDER_IDENTIFIERS,
  PROVIDER_ROW_PREFIXES,
  PROVIDERS,
  type ProviderRow,
  parseProviderRowId,
  providerRowId,
  untaggedRowId,
} from '../../src/vocabulary/provider-kinds.ts';

const ROWS = Object.keys(PROVIDER_ROW_PREFIXES).filter((name): name is ProviderRow =>
  Object.hasOwn(PROVIDER_ROW_PREFIXES, name),
);
const row = fc.constantFrom(...ROWS);
const provider = fc.constantFrom(...PROVIDER_IDENTIFIERS);
const plain = fc.string({
  unit: fc.constantFrom(...'ABCXYZabcxyz0189._:-'),
  minLength: 1,
  maxLength: 200,
});
const anyId = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  .filter((text) => text.isWellFormed());

test('whatever a vendor calls a row, its id reads back to the provider and the vendor’s own id', () => {
  fc.assert(
    fc.property(row, provider, fc.oneof(plain, anyId), (of, by, upstreamId) => {
      const id = providerRowId(of, by, upstreamId);
      fc.pre(id.length < 256);
      assert.deepEqual(parseProviderRowId(of, id), { provider: by, upstreamId });
    }),
    { numRuns: 1000 },
  );
});

test('an id without its tag is the vendor’s own, however long', () => {
  fc.assert(
    fc.property(row, provider, fc.oneof(plain, anyId), (of, by, upstreamId) => {
      assert.equal(untaggedRowId(providerRowId(of, by, upstreamId)), upstreamId);
    }),
    { numRuns: 1000 },
  );
  assert.equal(untaggedRowId(providerRowId('transaction', 'nz_banking', 'txn_fk_é')), 'txn_fk_é');
});

test('an id of plain characters is shown as it is', () => {
  assert.equal(providerRowId('transaction', 'au_banking', 'bank_tx_s_01'), 'txn_fk_bank_tx_s_01');
  assert.equal(providerRowId('institution', 'nz_banking', 'b-1.2:3'), 'inst_ak_b-1.2:3');
});

test('an id needs no escaping in a path and never holds a character that ends one', () => {
  fc.assert(
    fc.property(row, provider, anyId, (of, by, upstreamId) => {
      const id = providerRowId(of, by, upstreamId);
      assert.match(id, /^[A-Za-z0-9._:~-]+$/);
      assert.equal(encodeURIComponent(id.replaceAll(':', '')), id.replaceAll(':', ''));
    }),
  );
  assert.equal(providerRowId('trade', 'brokerage', 'a/b?c=1'), 'trd_st_a~2fb~3fc~3d1');
  assert.equal(providerRowId('trade', 'brokerage', '\uFEFF~é'), 'trd_st_~ef~bb~bf~7e~c3~a9');
});

test('different rows of a vendor never share an id', () => {
  fc.assert(
    fc.property(row, provider, anyId, anyId, (of, by, a, b) => {
      assert.equal(providerRowId(of, by, a) === providerRowId(of, by, b), a === b);
    }),
  );
});

test('an id of another kind, of an unknown provider or not of ours is refused without raising', () => {
  assert.equal(parseProviderRowId('holding', 'txn_fk_1'), null);
  for (const text of [
    '',
    'txn',
    'txn_',
    'txn_fk',
    'txn_fk_',
    'txn_xx_1',
    'txn_FK_1',
    'TXN_fk_1',
    'txn-fk-1',
    '1',
  ]) {
    assert.equal(parseProviderRowId('transaction', text), null, text);
  }
  for (const rest of [
    'a b',
    'a/b',
    'a\n',
    'a\0',
    'é',
    '~',
    '~4',
    '~zz',
    '~41',
    '~2F',
    '~ff',
    'a'.repeat(257),
  ]) {
    assert.equal(parseProviderRowId('transaction', `txn_fk_${rest}`), null, JSON.stringify(rest));
  }
  fc.assert(
    fc.property(row, fc.string({ unit: 'binary', maxLength: 60 }), (of, text) => {
      assert.equal(parseProviderRowId(of, text), null);
    }),
  );
});

test('no two providers share a tag and no two kinds of row a prefix', () => {
  const tags = PROVIDER_IDENTIFIERS.map((name) => PROVIDERS[name].tag);
  assert.equal(new Set(tags).size, tags.length);
  assert.equal(new Set(Object.values(PROVIDER_ROW_PREFIXES)).size, ROWS.length);
});
