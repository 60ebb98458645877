import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { keyedMac, sameBytes } from '../../src/platform/keyed-mac.ts';

const key = Buffer.alloc(32, 7);

test('the MAC is HMAC-SHA256 over the length-prefixed parts', () => {
  const input = Buffer.concat([
    Buffer.from([0, 0, 0, 2]),
    Buffer.from('ab'),
    Buffer.from([0, 0, 0, 3]),
    Buffer.from('€'),
  ]);
  assert.deepEqual(keyedMac(key, 'ab', Buffer.from('€')), createHmac('sha256', key).update(input).digest());
});

test('different lists of parts never share a MAC', () => {
  const parts = fc.array(fc.string({ maxLength: 3, unit: fc.constantFrom('a', 'b', '\0', '\u0001') }), {
    maxLength: 4,
  });
  fc.assert(
    fc.property(parts, parts, (a, b) => {
      const equal = JSON.stringify(a) === JSON.stringify(b);
      assert.equal(sameBytes(keyedMac(key, ...a), keyedMac(key, ...b)), equal);
    }),
  );
  assert.ok(!sameBytes(keyedMac(key, 'ab', 'c'), keyedMac(key, 'a', 'bc')));
  assert.ok(!sameBytes(keyedMac(key), keyedMac(key, '')));
  assert.ok(!sameBytes(keyedMac(key, 'a'), keyedMac(Buffer.alloc(32, 8), 'a')));
});

test('bytes of different lengths are different, without an error', () => {
  assert.equal(sameBytes(Buffer.from('a'), Buffer.from('ab')), false);
  assert.equal(sameBytes(Buffer.alloc(0), Buffer.alloc(0)), true);
});
