import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  apiKeyPrefix,
  bearerApiKey,
  hashApiKey,
  looksLikeApiKey,
  newApiKeySecret,
} from '../../src/platform/api-key-secret.ts';

test('a new key has the documented form and passes its own check [limit key_prefix_characters]', () => {
  for (let turn = 0; turn < 500; turn += 1) {
    const secret = newApiKeySecret();
    assert.match(secret, /^trib_live_[0-9A-Za-z]{38}$/);
    assert.ok(looksLikeApiKey(secret));
    assert.equal(apiKeyPrefix(secret), secret.slice(0, 16));
  }
});

test('every single changed, added or missing character fails the check', () => {
  const secret = newApiKeySecret();
  for (let at = 0; at < secret.length; at += 1) {
    for (const character of 'aZ09_-é') {
      const altered = secret.slice(0, at) + character + secret.slice(at + 1);
      if (altered !== secret) assert.ok(!looksLikeApiKey(altered), altered);
    }
    assert.ok(!looksLikeApiKey(secret.slice(0, at) + secret.slice(at + 1)));
  }
  assert.ok(!looksLikeApiKey(`${secret}0`));
  assert.ok(!looksLikeApiKey(`${secret}\n`));
});

test('a key is found in a bearer header in whichever case the scheme is written, and nothing else is taken for one', () => {
  const secret = newApiKeySecret();
  for (const scheme of ['Bearer ', 'bearer ', 'BEARER   '])
    assert.equal(bearerApiKey(scheme + secret), secret);
  const long = `trib_live_${'0'.repeat(501)}`;
  for (const other of [
    secret,
    `Basic ${secret}`,
    'Bearer eyJhbGciOi',
    'Bearer trib_live_',
    `Bearer ${long}`,
  ]) {
    assert.equal(bearerApiKey(other), null, other);
  }
  assert.equal(bearerApiKey(`Bearer ${secret.toUpperCase()}`), null, 'the prefix has one spelling');
});

test('no arbitrary text looks like a key or makes the check fail', () => {
  fc.assert(
    fc.property(fc.string(), (text) => !looksLikeApiKey(text) && !looksLikeApiKey(`trib_live_${text}`)),
  );
});

test('every base62 character is equally likely', () => {
  const counts = new Map<string, number>();
  for (let turn = 0; turn < 4_000; turn += 1) {
    for (const character of newApiKeySecret().slice(10, 42))
      counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  assert.equal(counts.size, 62);
  const expected = (4_000 * 32) / 62;
  for (const [character, count] of counts) {
    assert.ok(
      Math.abs(count - expected) < expected * 0.15,
      `${character}: ${count}, expected about ${expected}`,
    );
  }
});

test('the stored form is the SHA-256 of the whole secret', () => {
  const secret = newApiKeySecret();
  assert.deepEqual(hashApiKey(secret), createHash('sha256').update(secret).digest());
});
