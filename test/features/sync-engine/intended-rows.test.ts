import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type IntendedRow,
  packIntended,
  rowFormOf,
  unpackIntended,
} from '../../../src/storage/intended-rows.ts';
import { providerRowId } from '../../../src/vocabulary/provider-kinds.ts';

/** Whatever a vendor calls its rows. */
const id = fc
  .string({ minLength: 1, maxLength: 40, unit: 'binary' })
  .map((upstream) => providerRowId('transaction', 'au_banking', upstream));
const row: fc.Arbitrary<IntendedRow> = fc.record(
  {
    stream: fc.integer({ min: 1, max: 4 }),
    sourceId: id,
    change: fc.constantFrom('new', 'updated', 'removed'),
    contentMac: fc.oneof(fc.constant(''), fc.stringMatching(/^[0-9a-f]{24}$/)),
    replaces: fc.option(id),
    provisional: fc.boolean(),
    pairMac: fc.option(fc.stringMatching(/^[0-9a-f]{8}$/)),
    day: fc.option(fc.integer({ min: -20_000, max: 60_000 })),
  },
  { noNullPrototype: true },
);

test('the rows of an intent come out as they were put in, whatever their ids', () => {
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 20 }), (rows) => {
      assert.deepEqual(unpackIntended(packIntended(rows)), rows);
    }),
  );
});

test('an intent says in which form its rows were sent', () => {
  const form = fc.integer({ min: 1, max: 30 });
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 3 }), form, (rows, rowForm) => {
      const stored = packIntended(rows, rowForm);
      assert.equal(rowFormOf(stored), rowForm);
      assert.deepEqual(unpackIntended(stored), rows);
      assert.equal(stored.startsWith('@'), rowForm === 1);
    }),
  );
});

test('an intent in a form of the future is refused', () => {
  for (const foreign of [
    '',
    '#1\ntxn_fk_a 00ff',
    '#2\ntxn_fk_a 00ff',
    '#02\n@3\ntxn_fk_a 00ff',
    '[[3,"txn_fk_a","new","00ff",null,false]]',
  ]) {
    assert.throws(() => unpackIntended(foreign), /form this version does not know/);
  }
});
