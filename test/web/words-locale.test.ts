import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wordsLocale } from '../../web/src/format/locale.ts';

test('words of moments are in the language of the page, in the notation of the region of the person', () => {
  assert.equal(wordsLocale('de-DE', 'en'), 'en-DE');
  assert.equal(wordsLocale('de', 'en'), 'en-DE');
  assert.equal(wordsLocale('en-AU', 'en'), 'en-AU');
  assert.equal(wordsLocale('ar-EG-u-nu-arab', 'en'), 'en-EG');
  assert.equal(wordsLocale('en-NZ', 'mi'), 'mi-NZ');
  assert.equal(wordsLocale('de-AT', 'de'), 'de-AT');
  const ago = new Intl.RelativeTimeFormat(wordsLocale('de-DE', 'en'), { numeric: 'auto' });
  assert.equal(ago.format(-1, 'minute'), '1 minute ago');
});
