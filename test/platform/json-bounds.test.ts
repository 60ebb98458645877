import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { brokenBound } from '../../src/platform/json-bounds.ts';

const bounds = { depth: 1000, values: 1_000_000 };
const bytes = (text: string): Buffer => Buffer.from(text);

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

/** One for each object and array, and one for each member or item after the first of its own. */
function valuesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inside: unknown[] = Object.values(value);
  return 1 + Math.max(0, inside.length - 1) + inside.reduce<number>((sum, one) => sum + valuesOf(one), 0);
}

describe('the bounds of JSON text, before it is parsed', () => {
  test('are met by exactly the depth and number of values that parsing finds, whatever the texts hold', () =>
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.boolean(), (value, spaced) => {
        const text = bytes(JSON.stringify(value, null, spaced ? 2 : 0));
        const parsed: unknown = JSON.parse(text.toString());
        const depth = depthOf(parsed);
        const values = valuesOf(parsed);
        assert.equal(brokenBound(text, { depth, values }), null);
        if (depth > 0) assert.equal(brokenBound(text, { ...bounds, depth: depth - 1 }), 'depth');
        if (values > 0) assert.equal(brokenBound(text, { ...bounds, values: values - 1 }), 'values');
      }),
    ));

  test('are not moved by brackets, commas and quotes inside a text', () => {
    const text = bytes(JSON.stringify({ a: '[[[[{{{{,,,,\\"\\', '[{,': '\\\\"' }));
    assert.equal(brokenBound(text, { depth: 1, values: 2 }), null);
  });

  test('end a text that ends too early', () => {
    for (const text of ['{"a": "never closed', '"\\', '[[[', '']) {
      assert.equal(brokenBound(bytes(text), bounds), null);
    }
  });
});
