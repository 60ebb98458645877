import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LIMITS } from '../../src/vocabulary/limits.ts';
import { mergeMetadata, metadataFits } from '../../src/vocabulary/metadata.ts';

const key = fc.oneof(fc.constantFrom('a', 'b', '__proto__', 'constructor', ''), fc.string({ maxLength: 5 }));
const pairs = fc.array(fc.tuple(key, fc.string({ maxLength: 5 }))).map((list) => Object.fromEntries(list));
const patch = fc
  .array(fc.tuple(key, fc.option(fc.string({ maxLength: 5 }), { nil: null })))
  .map((list) => Object.fromEntries(list));

test('after an update a named key has its new value or is gone, and every other key is as it was', () => {
  fc.assert(
    fc.property(fc.option(pairs, { nil: null }), patch, (old, change) => {
      const merged = mergeMetadata(old, change);
      const keys = new Set([...Object.keys(old ?? {}), ...Object.keys(change), ...Object.keys(merged)]);
      for (const name of keys) {
        const named = Object.hasOwn(change, name);
        const before = old !== null && Object.hasOwn(old, name) ? old[name] : null;
        const expected = named ? change[name] : before;
        assert.equal(Object.hasOwn(merged, name) ? merged[name] : null, expected, name);
      }
      assert.equal(Object.getPrototypeOf(merged), Object.prototype);
    }),
  );
});

test('the same update twice changes nothing the second time, and neither input is touched', () => {
  fc.assert(
    fc.property(pairs, patch, (old, change) => {
      const copies = [structuredClone(old), structuredClone(change)];
      const once = mergeMetadata(old, change);
      assert.deepEqual(mergeMetadata(once, change), once);
      assert.deepEqual([old, change], copies);
    }),
  );
});

test('the number of pairs is checked after the update: 50 fit and 51 do not', () => {
  const full = Object.fromEntries(
    Array.from({ length: LIMITS.metadata_pairs.default }, (_, at) => [`k${at}`, 'v']),
  );
  assert.ok(metadataFits(full));
  assert.ok(!metadataFits(mergeMetadata(full, { more: 'v' })));
  assert.ok(metadataFits(mergeMetadata(full, { more: 'v', k0: null })));
  assert.ok(metadataFits(mergeMetadata(full, { k1: 'w' })));
});
