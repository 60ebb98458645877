import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonicalJson } from '../../src/operations/answer-once.ts';

/** The same value with the members of every object the other way round. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, inner]) => [name, reversed(inner)]),
  );
}

/** As it arrives: what JSON cannot say, such as -0, is gone. */
const parsed = fc.json({ maxDepth: 5 }).map((text): unknown => JSON.parse(text));

test('the order of members does not show, and the text still says the value', () => {
  fc.assert(
    fc.property(parsed, (value) => {
      const text = canonicalJson(value);
      assert.equal(canonicalJson(reversed(value)), text);
      assert.deepEqual(JSON.parse(text), value);
    }),
  );
});

test('two values have one text only if they are the same', () => {
  fc.assert(
    fc.property(parsed, parsed, (one, other) => {
      let same = true;
      try {
        assert.deepEqual(one, other);
      } catch {
        same = false;
      }
      assert.equal(canonicalJson(one) === canonicalJson(other), same);
    }),
  );
  assert.notEqual(canonicalJson([1, 2]), canonicalJson([2, 1]));
  assert.notEqual(canonicalJson({ a: '1' }), canonicalJson({ a: 1 }));
  // What no double can hold is not the same as nothing.
  assert.notEqual(canonicalJson(JSON.parse('{"a": 1e999}')), canonicalJson({ a: null }));
});
