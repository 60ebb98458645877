import assert from 'node:assert/strict';
import { test } from 'node:test';
import { percentText } from '../../web/src/format/numbers.ts';

test('a percentage has one decimal, what rounds to nothing has no sign, and a little is not nothing', () => {
  assert.deepEqual(
    [0.603, 1, 0, -0.0001, -0.068, 0.0001].map((ratio) => percentText(ratio)),
    ['60.3%', '100%', '0%', '0%', '-6.8%', '<0.1%'],
  );
  assert.deepEqual(
    [0.231, 0, -0.0001, -0.068].map((ratio) => percentText(ratio, 'always')),
    ['+23.1%', '0%', '0%', '-6.8%'],
  );
});
