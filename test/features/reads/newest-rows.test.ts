import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { NewestRows } from '../../../src/features/reads/portfolio-reads.ts';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

interface Row {
  readonly day: string;
  readonly id: string;
}

const placeOf = ({ day, id }: Row) => ({ by: day, id });

test('the newest of any number of rows are those of a sorted list, whatever order they come in', () => {
  const row = fc.record({ day: fc.constantFrom('2026-01-01', '2026-01-02', '2026-01-03'), id: fc.uuid() });
  fc.assert(
    fc.property(
      fc.array(fc.array(row, { maxLength: 7 }), { maxLength: 12 }),
      fc.integer({ min: 1, max: 9 }),
      fc.record({ limit: fc.integer({ min: 1, max: 9 }), offset: fc.nat({ max: 12 }) }),
      (pages, most, part) => {
        const newest = new NewestRows<Row>(most, placeOf);
        for (const page of pages) newest.add(page);
        const all = pages.flat();
        const key = ({ day, id }: Row): string => `${day} ${id}`;
        const wanted = all.toSorted((a, b) => (key(a) < key(b) ? 1 : -1)).slice(0, most);
        assert.deepEqual(newest.part(part), wanted.slice(part.offset, part.offset + part.limit));
        assert.equal(newest.seen, all.length);
      },
    ),
  );
});

test('of a million rows no more are held than twice as many as are wanted', async () => {
  const most = 1000;
  const newest = new NewestRows<Row>(most, placeOf);
  const sent: WeakRef<Row>[] = [];
  for (let page = 0; page < 1000; page++) {
    add(newest, page, sent);
    if (page % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  const held = sent.filter((row) => row.deref() !== undefined).length;
  assert.ok(held >= most && held <= 2 * most, `${held} rows are held`);
  assert.equal(newest.seen, 1_000_000);
  assert.equal(newest.part({ limit: 1, offset: 0 })[0]?.id, '000999999');
});

/** Made apart from the test, whose frame would hold the last page. */
function add(newest: NewestRows<Row>, page: number, sent: WeakRef<Row>[]): void {
  const rows = Array.from({ length: 1000 }, (_none, n) => ({
    day: '2026-01-01',
    id: String(page * 1000 + n).padStart(9, '0'),
  }));
  for (const row of rows) sent.push(new WeakRef(row));
  newest.add(rows);
}
