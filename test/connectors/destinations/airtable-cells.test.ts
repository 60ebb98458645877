import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import Big from 'big.js';
import fc from 'fast-check';
import { decimalsOf, exactNumber } from '../../../src/connectors/destinations/row-values.ts';
import { posted } from '../../features/sync-engine/support/bank.ts';
import { closeDatabase } from '../../features/sync-engine/support/world.ts';
import { Scene } from './airtable/scene.ts';

after(closeDatabase);

describe('A figure that is written as a number', () => {
  test('has exactly the value of its text, or is not written', () => {
    const digits = (most: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${most}}$`));
    const decimal = fc
      .tuple(fc.constantFrom('', '-'), digits(20), fc.option(digits(20)))
      .map(([sign, whole, fraction]) => `${sign}${whole}${fraction === null ? '' : `.${fraction}`}`);
    fc.assert(
      fc.property(decimal, (text) => {
        const number = exactNumber(text);
        return number === null || new Big(JSON.stringify(number)).eq(text);
      }),
    );
  });

  for (const [text, number] of [
    ['0', 0],
    ['-0.00', 0],
    ['0012.3400', 12.34],
    ['-9007199254740.99', -9007199254740.99],
    ['0.000001', 0.000001],
    ['9007199254740993', null],
    ['0.1234567890123456789', null],
    ['1e3', null],
    ['', null],
  ] as const) {
    test(`is ${number === null ? 'none' : JSON.stringify(number)} for ${text === '' ? 'no text' : text}`, () => {
      assert.equal(exactNumber(text), number);
    });
  }

  test('counts as many digits after the point as say something', () => {
    assert.deepEqual(['1', '1.50', '-1.234', '1.000'].map(decimalsOf), [0, 1, 3, 0]);
  });
});

test('Rows are found by their ids, whatever characters those contain', async () => {
  await using scene = await Scene.open();
  const odd = ['"', '\\', '\\"', "'", '{Name}', '")+1=("', '\n', '\t', 'ü😀', ','].map(
    (sign) => `txn_fk_a${sign}b`,
  );
  const rows = [...odd.map((id, at) => ({ ...posted(at), id })), posted(90), posted(91)];
  const { sync } = await scene.syncOf(rows);
  assert.equal((await scene.run(sync)).added, rows.length);
  const { added, updated } = await scene.resync(sync);
  assert.deepEqual([added, updated], [0, 0]);
  assert.deepEqual(scene.ids, rows.map(({ id }) => id).toSorted());
});
