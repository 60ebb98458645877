import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wordsLocale } from '../../web/src/format/locale.ts';

test('words of moments are English, in the notation of the region of the person', () => {
  assert.equal(wordsLocale('de-DE'), 'en-DE');
  assert.equal(wordsLocale('de'), 'en-DE');
  assert.equal(wordsLocale('en-AU'), 'en-AU');
  assert.equal(wordsLocale('ar-EG-u-nu-arab'), 'en-EG');
  const ago = new Intl.RelativeTimeFormat(wordsLocale('de-DE'), { numeric: 'auto' });
  assert.equal(ago.format(-1, 'minute'), '1 minute ago');
});
