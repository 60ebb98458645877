import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FIXED_LIMITS } from '../../src/vocabulary/limits.ts';
import { initialsUrl, LOGO_FILE, logoUrl } from '../../src/vocabulary/logo-url.ts';

const OWN = 'http://tributary.example.test:8780';

test('the logo of a bank passes as an https address of bounded length and as nothing else', () => {
  assert.equal(logoUrl('https://bank.example/logo.svg?v=2', OWN), 'https://bank.example/logo.svg?v=2');
  for (const bad of [
    null,
    '',
    'http://bank.example/logo.svg',
    'http://tributary.example.test:87801/logo.svg',
    'http://tributary.example.test:8780@bank.example/logo.svg',
    'javascript:alert(1)',
    ' data:image/svg+xml,<svg/>',
    '//bank.example/logo.svg',
    '/logo.svg',
    'https://',
    'https://user:secret@bank.example/logo.svg',
    `https://bank.example/${'a'.repeat(FIXED_LIMITS.url_characters)}`,
    `https://bank.example/${'é'.repeat(FIXED_LIMITS.url_characters / 2)}`,
  ]) {
    assert.equal(logoUrl(bad, OWN), null, String(bad));
  }
});

test('whatever a vendor sends, what passes is https and can go into a page', () => {
  const scheme = fc.constantFrom('https:', 'HTTPS:', 'http:', 'javascript:', 'data:', 'blob:https:', '');
  fc.assert(
    fc.property(scheme, fc.string({ unit: 'binary' }), (start, rest) => {
      const passed = logoUrl(`${start}//${rest}`, OWN);
      if (passed !== null) assert.match(passed, /^https:\/\/[^\s"<>]*$/);
    }),
  );
});

test('an address of the service itself passes as http too: the sandbox serves the logos of its banks there', () => {
  assert.equal(logoUrl(`${OWN}/sandbox/au-banking/a.svg`, OWN), `${OWN}/sandbox/au-banking/a.svg`);
});

test('whatever an institution is called, the picture with its initials has an address that is served', () => {
  assert.equal(initialsUrl('Rimu Bank', OWN), `${OWN}/logos/RB-165.svg`);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      const { origin, pathname } = new URL(initialsUrl(name, OWN));
      const [, letters, hue] = LOGO_FILE.exec(decodeURIComponent(pathname).replace('/logos/', '')) ?? [];
      assert.equal(origin, OWN);
      assert.ok(letters !== undefined && Number(hue) < 360, pathname);
    }),
  );
});
