import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { decodeValues, encodeValues } from '../../../../src/connectors/destinations/row-values.ts';

test('values are read back as they were written, whatever they contain', () => {
  const values = [
    null,
    '',
    '=1+1',
    '\u0000\u001b\u2028',
    '\u202eabc',
    '-0.00',
    'x'.repeat(50_000),
    '\ud83d\ude00',
  ];
  assert.deepEqual(decodeValues(encodeValues(values)), values);
});

test('text of another form is refused without being repeated', () => {
  for (const text of ['secret row', '"secret row"', '[{"secret row":1}]', '["secret row",1]', '[']) {
    assert.throws(
      () => decodeValues(text),
      (error) => error instanceof TypeError && !inspect(error).includes('secret row'),
    );
  }
});
