import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FIXED_LIMITS } from '../../src/vocabulary/limits.ts';
import { logoUrl } from '../../src/vocabulary/logo-url.ts';

test('the logo of a bank passes as an https address of bounded length and as nothing else', () => {
  assert.equal(logoUrl('https://bank.example/logo.svg?v=2'), 'https://bank.example/logo.svg?v=2');
  for (const bad of [
    null,
    '',
    'http://bank.example/logo.svg',
    'javascript:alert(1)',
    ' data:image/svg+xml,<svg/>',
    '//bank.example/logo.svg',
    '/logo.svg',
    'https://',
    'https://user:secret@bank.example/logo.svg',
    `https://bank.example/${'a'.repeat(FIXED_LIMITS.url_characters)}`,
    `https://bank.example/${'é'.repeat(FIXED_LIMITS.url_characters / 2)}`,
  ]) {
    assert.equal(logoUrl(bad), null, String(bad));
  }
});

test('whatever a vendor sends, what passes is https and can go into a page', () => {
  const scheme = fc.constantFrom('https:', 'HTTPS:', 'http:', 'javascript:', 'data:', 'blob:https:', '');
  fc.assert(
    fc.property(scheme, fc.string({ unit: 'binary' }), (start, rest) => {
      const passed = logoUrl(`${start}//${rest}`);
      if (passed !== null) assert.match(passed, /^https:\/\/[^\s"<>]*$/);
    }),
  );
});
