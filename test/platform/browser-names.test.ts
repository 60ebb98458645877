import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { browserName } from '../../src/platform/browser-names.ts';

/** As browsers send them. */
const HEADERS = {
  'Firefox on Windows': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0',
  'Safari on macOS':
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.3 Safari/605.1.15',
  'Chrome on Android':
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
  'Microsoft Edge on Windows':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
  'Chrome on Linux':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
} as const;

test('a browser has the name by which people know it', () => {
  for (const [name, header] of Object.entries(HEADERS)) assert.equal(browserName(header), name);
  for (const unknown of [undefined, '', 'node', 'curl/8.15.0', 'x'.repeat(8_000)])
    assert.equal(browserName(unknown), null, unknown);
});

test('no part of a header becomes a name, whatever a stranger writes', () => {
  const word = fc.oneof(
    fc.string({ maxLength: 40 }),
    fc.constantFrom(
      'Chrome/1',
      'Firefox/2',
      'Version/18 Safari/6',
      '(Windows NT 10.0)',
      '(Macintosh;',
      'Linux',
    ),
    fc.constantFrom(...Object.values(HEADERS)),
  );
  const header = fc.array(word, { maxLength: 12 }).map((words) => words.join(' '));
  fc.assert(
    fc.property(header, (text) => {
      const name = browserName(text);
      assert.ok(name === null || /^[A-Za-z][A-Za-z0-9.! ]{1,40}$/.test(name), name ?? '');
    }),
    { numRuns: 1_000 },
  );
});
