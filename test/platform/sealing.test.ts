import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { newKeyEntry, parseKeyring } from '../../src/platform/keyring.ts';
import { Sealer, UnsealError } from '../../src/platform/sealing.ts';

const primary = newKeyEntry();
const sealer = new Sealer(parseKeyring(primary, 'x'), 'tokens');

test('what is sealed opens again, byte for byte, in its own context only', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 500 }), fc.string(), fc.string(), (bytes, context, other) => {
      const plaintext = Buffer.from(bytes);
      const sealed = sealer.seal(plaintext, context);
      assert.deepEqual(sealer.open(sealed, context), plaintext);
      if (other !== context) assert.throws(() => sealer.open(sealed, other), UnsealError);
    }),
  );
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, context) => {
      const token = sealer.sealToken(text, context);
      assert.match(token, /^[A-Za-z0-9_-]+$/);
      assert.equal(sealer.openToken(token, context).toString(), text);
    }),
  );
});

test('every single flipped bit, every cut and every appended byte is refused', () => {
  const sealed = sealer.seal('refresh-token', 'connection:1:token');
  for (let bit = 0; bit < sealed.length * 8; bit += 1) {
    const altered = Buffer.from(sealed);
    altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    assert.throws(() => sealer.open(altered, 'connection:1:token'), UnsealError, `bit ${bit}`);
  }
  for (let length = 0; length < sealed.length; length += 1) {
    assert.throws(() => sealer.open(sealed.subarray(0, length), 'connection:1:token'), UnsealError);
  }
  assert.throws(
    () => sealer.open(Buffer.concat([sealed, Buffer.alloc(1)]), 'connection:1:token'),
    UnsealError,
  );
});

test('every changed character of a token is refused', () => {
  const token = sealer.sealToken('setup', 'page');
  for (let at = 0; at < token.length; at += 1) {
    for (const character of 'Aa0-_=+ ') {
      const altered = token.slice(0, at) + character + token.slice(at + 1);
      if (altered !== token) assert.throws(() => sealer.openToken(altered, 'page'), UnsealError, altered);
    }
  }
});

test('arbitrary bytes never open and never fail in another way', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
      assert.throws(() => sealer.open(Buffer.from([1, ...bytes]), ''), UnsealError);
      assert.throws(() => sealer.open(Buffer.from(bytes), ''), UnsealError);
    }),
  );
});

test('equal plaintexts give different ciphertexts, and purposes are apart', () => {
  assert.notDeepEqual(sealer.seal('a', 'c'), sealer.seal('a', 'c'));
  const other = new Sealer(parseKeyring(primary, 'x'), 'cache');
  assert.throws(() => other.open(sealer.seal('a', 'c'), 'c'), UnsealError);
});

test('after a rotation old secrets still open and ask to be sealed again', () => {
  const rotated = new Sealer(parseKeyring(`${newKeyEntry()},${primary}`, 'x'), 'tokens');
  const old = sealer.seal('kept', 'c');
  assert.equal(rotated.open(old, 'c').toString(), 'kept');
  assert.equal(sealer.needsReseal(old), false);
  assert.equal(rotated.needsReseal(old), true);
  assert.equal(rotated.needsReseal(rotated.seal('kept', 'c')), false);
  assert.throws(() => rotated.needsReseal(Buffer.alloc(3)), UnsealError);
  assert.throws(() => sealer.open(rotated.seal('kept', 'c'), 'c'), /not configured.*ENCRYPTION_KEY/s);
});
