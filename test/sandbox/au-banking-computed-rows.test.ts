import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ComputedRows } from '../../sandbox/au-banking/rows/computed-rows.ts';
import { pageRows } from '../../sandbox/au-banking/rows/page.ts';
import { sumDecimals } from '../../sandbox/shared/decimal.ts';
import { DAY, items, list, NOW, withSimulator } from './visitor.ts';

const ALL = { from: null, to: null, status: null, categories: null };
const FRAME = { arrangementId: 'arrangement', institutionId: '88888', version: 'v2' } as const;

/** Counts the rows whose time or id is computed, which is all that a page costs. */
class CountedRows extends ComputedRows {
  computed = 0;

  override timeAt(index: number): number {
    this.computed += 1;
    return super.timeAt(index);
  }

  override idAt(index: number): string {
    this.computed += 1;
    return super.idAt(index);
  }
}

/** How much is computed for a page of a thousand rows behind the position. */
function costOf(rows: CountedRows, position: number): number {
  const source = rows.source('k', 'account', 'AUD', FRAME);
  const after = { time: rows.timeAt(position), source: 'k', position };
  const before = rows.computed;
  assert.equal(pageRows([source], after, 1000, ALL).rows.length, 1000);
  return rows.computed - before;
}

function heldBytes(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

test('every row of a computed statement is there once, within six months, and the total is exact', async () => {
  await withSimulator({}, async (visitor) => {
    const user = await visitor.endUser();
    await visitor.link(user, { customer: 'rows:12345' });
    const from = new Date(NOW - 182 * DAY).toISOString();
    const rows = await visitor.rows(`end_user_id=${user}&from=${from}&to=${new Date(NOW).toISOString()}`);
    assert.equal(rows.length, 12_345);
    assert.equal(new Set(rows.map((row) => row.fiskil_id)).size, 12_345);
    for (const row of rows) assert.match(String(row.fiskil_id), /^bank_tx_[0-9a-f]{64}$/);
    const [balance] = list((await visitor.get(`/v1/banking/balances?end_user_id=${user}`)).body, 'balances');
    assert.equal(balance?.current_balance, '100000.00');
    const computed = new ComputedRows('s', 12_345, NOW);
    const page = pageRows([computed.source('k', 'a', 'AUD', FRAME)], null, 12_345, ALL);
    const amounts = items(page.rows.map((row) => JSON.parse(row))).map((row) => String(row.amount));
    assert.equal(sumDecimals(amounts), computed.total);
  });
});

test('date bounds are inclusive on both ends and cut exactly', () => {
  const rows = new ComputedRows('bounds', 1000, NOW);
  const references = (from: number, to: number): readonly unknown[] =>
    items(
      pageRows([rows.source('k', 'a', 'AUD', FRAME)], null, 1000, { ...ALL, from, to }).rows.map((row) =>
        JSON.parse(row),
      ),
    ).map((row) => row.reference);
  assert.deepEqual(references(rows.timeAt(12), rows.timeAt(10)), ['10', '11', '12']);
  assert.deepEqual(references(rows.timeAt(12) + 1, rows.timeAt(10) - 1), ['11']);
});

test('an id tells its row and no other text does', () => {
  const rows = new ComputedRows('scope', 3_000_000, NOW);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2_999_999 }), (index) => {
      const id = rows.idAt(index);
      assert.equal(rows.indexOf(id), index);
      assert.equal(rows.indexOf(id.replace(/.$/, (last) => (last === '0' ? '1' : '0'))), null);
    }),
  );
  assert.equal(rows.indexOf(new ComputedRows('other', 3_000_000, NOW).idAt(5)), null);
});

test('a page in the depth of ten million rows costs what the first page costs, and no memory', () => {
  const start = heldBytes();
  const huge = new CountedRows('huge', 10_000_000, NOW);
  const deep = costOf(huge, 9_000_000);
  const held = heldBytes() - start;
  const shallow = costOf(new CountedRows('small', 10_000, NOW), 0);
  assert.ok(shallow >= 1000, 'the count sees the rows of a page');
  // Halving finds the place: ten million rows take ten steps more than ten thousand.
  assert.ok(deep < shallow + 100, `deep ${deep}, shallow ${shallow}`);
  // A number of four bytes for each row would be 40 MB; a page is less than one.
  assert.ok(held < 20_000_000, `${held} bytes`);
});
