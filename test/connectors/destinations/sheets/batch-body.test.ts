import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { batchBody } from '../../../../src/connectors/destinations/sheets/client.ts';
import {
  type CellValue,
  cells,
  moreOf,
} from '../../../../src/connectors/destinations/sheets/sheet-requests.ts';

const cell: fc.Arbitrary<CellValue> = fc.oneof(
  fc.constant(null),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }).map((text) => text.toWellFormed()),
  fc.double({ noDefaultInfinity: true, noNaN: true }).map((number) => number + 0),
);

test('the body of a batch is JSON that shows each cell as it is, whatever is in it', () => {
  fc.assert(
    fc.property(fc.array(fc.array(cell, { maxLength: 6 }), { maxLength: 30 }), (rows) => {
      assert.deepEqual(JSON.parse(batchBody([moreOf(7, 'ROWS', 2), cells(7, 3, 1, rows)]).toString()), {
        requests: [
          { appendDimension: { sheetId: 7, dimension: 'ROWS', length: 2 } },
          {
            updateCells: {
              start: { sheetId: 7, rowIndex: 3, columnIndex: 1 },
              fields: 'userEnteredValue',
              rows: rows.map((row) => ({ values: row.map(shown) })),
            },
          },
        ],
      });
    }),
  );
});

test('a body of many pieces is whole', () => {
  const rows = Array.from({ length: 5000 }, (_, at) => [`row ${at} …`, at]);
  const { requests } = JSON.parse(batchBody([cells(0, 0, 0, rows)]).toString());
  assert.deepEqual(
    requests[0].updateCells.rows,
    rows.map((row) => ({ values: row.map(shown) })),
  );
});

function shown(value: CellValue) {
  if (value === null || value === '') return {};
  return { userEnteredValue: typeof value === 'number' ? { numberValue: value } : { stringValue: value } };
}
