import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type IntendedRow, packIntended, unpackIntended } from '../../src/storage/intended-rows.ts';
import { providerRowId } from '../../src/vocabulary/providers.ts';

/** Whatever a vendor calls its rows. */
const id = fc
  .string({ minLength: 1, maxLength: 40, unit: 'binary' })
  .map((upstream) => providerRowId('transaction', 'au_banking', upstream));
const row: fc.Arbitrary<IntendedRow> = fc.record(
  {
    stream: fc.integer({ min: 1, max: 4 }),
    sourceId: id,
    change: fc.constantFrom('new', 'updated', 'removed'),
    contentMac: fc.oneof(fc.constant(''), fc.stringMatching(/^[0-9a-f]{32}$/)),
    replaces: fc.option(id),
    provisional: fc.boolean(),
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
