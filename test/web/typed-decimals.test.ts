import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { readDecimal, typedDecimal } from '../../web/src/format/typed-decimals.ts';

const LOCALES = ['en-AU', 'de-DE', 'de-CH', 'fr-FR', 'es-ES', 'pl-PL', 'en-IN', 'sv-SE', 'ar-EG', 'fa-IR'];

describe('amounts that people type', () => {
  test('what the format of a locale writes is read back, with and without groups', () => {
    const decimal = fc
      .tuple(fc.bigInt({ min: 0n, max: 10n ** 12n - 1n }), fc.stringMatching(/^(\d{1,4})?$/))
      .map(([whole, fraction]) => (fraction === '' ? `${whole}` : `${whole}.${fraction}`));
    fc.assert(
      fc.property(fc.constantFrom(...LOCALES), fc.boolean(), decimal, (locale, grouped, text) => {
        assert.equal(readDecimal(typedDecimal(text, [locale], grouped), [locale]), text);
      }),
    );
  });

  test('a point is a decimal only where it can be nothing else', () => {
    const read = (locale: string, text: string) => readDecimal(text, [locale]);
    assert.equal(read('de-DE', '12,50'), '12.50');
    assert.equal(read('de-DE', '1.000,00'), '1000.00');
    assert.equal(read('de-DE', '9.99 €'), '9.99');
    assert.equal(read('de-DE', '1.000'), '1000');
    assert.equal(read('fr-FR', '9.99'), '9.99');
    assert.equal(read('fr-FR', '1.000'), null);
    assert.equal(read('en-AU', '$1,000.50'), '1000.50');
    assert.equal(read('en-AU', '1.125'), '1.125');
  });

  test('what cannot be read, or could be two amounts, is no amount', () => {
    for (const text of ['abc', '1,2,3', '12,50', '-4', '1.2.3', '12 34', '$', '1234567890123', '1.23456']) {
      assert.equal(readDecimal(text, ['en-AU']), null, text);
    }
    assert.equal(readDecimal('1,000.00', ['de-DE']), null);
  });
});
