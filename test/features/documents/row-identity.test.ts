import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { identifyRows, type KnownRow, type RowFacts } from '../../../src/features/documents/row-identity.ts';
import type { StatementFormat } from '../../../src/statements/statement-contract.ts';
import { addDays, localDate } from '../../../src/vocabulary/moments.ts';

const FIRST = localDate('2026-03-01');

function row(day: number, amount: string, description: string, reference: string | null = null): RowFacts {
  return { date: addDays(FIRST, day), amount, currency: null, description, reference };
}

/** Imports files one after another, as taking them does. */
class Imported {
  readonly files = new Map<string, readonly KnownRow[]>();
  #next = 0;

  async take(rows: readonly RowFacts[], format: StatementFormat = 'csv'): Promise<readonly string[]> {
    const file = `file ${this.#next++}`;
    const known = [...this.files.values()].flat();
    const ids = await identifyRows(rows, known, format, (content, nth) => `${content} #${nth}`);
    this.files.set(
      file,
      rows.map((one, at) => ({ ...one, id: ids[at] ?? '', file })),
    );
    assert.equal(new Set(ids).size, ids.length, 'one id for two rows of one file');
    return ids;
  }

  get ids(): readonly string[] {
    const all = [...this.files.values()].flat().map(({ id }) => id);
    return [...new Set(all)].sort();
  }
}

/** A statement in the order of its days, with few contents, so that many rows are equal. */
const statement = fc
  .array(
    fc.record({
      day: fc.nat(4),
      amount: fc.constantFrom('-4.50', '-4.5', '12.00'),
      text: fc.constantFrom('Coffee', 'Tea'),
    }),
    {
      minLength: 1,
      maxLength: 14,
    },
  )
  .map((rows) => rows.toSorted((a, b) => a.day - b.day));
const range = fc.tuple(fc.nat(14), fc.nat(14)).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
const ranges = fc.array(range, { minLength: 1, maxLength: 6 });

describe('rows of statement files', () => {
  test('of overlapping cuts by day are each there once, in any order and repetition, with the same ids', async () => {
    await fc.assert(
      fc.asyncProperty(statement, ranges, fc.infiniteStream(fc.nat()), async (whole, cuts, shuffle) => {
        const files = cuts.map(([from, to]) =>
          whole
            .filter(({ day }) => day >= from % 5 && day <= Math.max(from % 5, to % 5))
            .map(({ day, amount, text }) => row(day, amount, text)),
        );
        const keys = files.map(() => shuffle.next().value ?? 0);
        const shuffled = files
          .map((file, at) => ({ file, key: keys[at] ?? 0 }))
          .sort((a, b) => a.key - b.key);
        const [one, other] = [new Imported(), new Imported()];
        for (const file of files) await one.take(file);
        for (const { file } of [...shuffled, ...shuffled]) await other.take(file);
        const days = new Set(files.flat().map(({ date }) => date));
        const expected = whole.filter(({ day }) => days.has(addDays(FIRST, day))).length;
        assert.equal(one.ids.length, expected);
        assert.deepEqual(other.ids, one.ids);
      }),
    );
  });

  test('with references of the bank are told apart wherever a file was cut', async () => {
    await fc.assert(
      fc.asyncProperty(statement, ranges, async (whole, cuts) => {
        const rows = whole.map(({ day, amount, text }, at) => row(day, amount, text, `ref ${at}`));
        const imported = new Imported();
        const covered = new Map<string, string>();
        for (const [from, to] of [...cuts, ...cuts.toReversed()]) {
          const file = rows.slice(from, to + 1);
          const ids = await imported.take(file, 'ofx');
          for (const [at, { reference }] of file.entries()) {
            const before = covered.get(reference ?? '');
            if (before !== undefined) assert.equal(ids[at], before, 'a row has another id than before');
            covered.set(reference ?? '', ids[at] ?? '');
          }
        }
        assert.equal(imported.ids.length, covered.size);
      }),
    );
  });

  test('keep their ids when one of two overlapping files is deleted', async () => {
    await fc.assert(
      fc.asyncProperty(statement, ranges, fc.nat(), async (whole, cuts, which) => {
        const imported = new Imported();
        for (const [from, to] of cuts)
          await imported.take(
            whole.slice(from, to + 1).map(({ day, amount, text }) => row(day, amount, text)),
          );
        const before = new Set(imported.ids);
        const gone = [...imported.files.keys()][which % imported.files.size];
        if (gone !== undefined) imported.files.delete(gone);
        assert.ok(imported.ids.every((id) => before.has(id)));
      }),
    );
  });

  test('that are equal in one file are as many rows, and in the next file the same', async () => {
    const imported = new Imported();
    const coffee = row(1, '-4.50', 'Coffee');
    const first = await imported.take([coffee, coffee]);
    assert.deepEqual(await imported.take([coffee]), first.slice(0, 1));
    const third = await imported.take([
      coffee,
      { ...coffee, amount: '-4.5', description: ' COFFEE ' },
      coffee,
    ]);
    assert.deepEqual(third.slice(0, 2), first);
    assert.equal(imported.ids.length, 3);
  });

  test('are the same under one reference although the bank worded them differently', async () => {
    const imported = new Imported();
    const [id] = await imported.take([row(1, '-9.90', 'PENDING SHOP', 'a'), row(2, '-1', 'Tea', 'b')], 'ofx');
    assert.equal((await imported.take([row(1, '-9.90', 'Shop Berlin', 'a')], 'ofx'))[0], id);
  });

  test('are not told apart by references that the exporter invents again for each file', async () => {
    const days = [1, 2, 3];
    for (const name of [
      (at: number, file: number) => `${file}-${at}`,
      (at: number, file: number) => `${at + file}`,
    ]) {
      const imported = new Imported();
      for (const file of [1, 2, 3])
        await imported.take(
          days.map((day, at) => row(day, `-${day}`, 'Shop', name(at, file))),
          'ofx',
        );
      assert.equal(imported.ids.length, days.length);
    }
  });

  test('are not the same because a reference stands for several of them', async () => {
    const imported = new Imported();
    const same = [row(1, '-1', 'One', 'NONREF'), row(1, '-1', 'Two', 'NONREF')];
    await imported.take(same, 'camt');
    await imported.take([...same, row(1, '-1', 'Three', 'NONREF')], 'camt');
    assert.equal(imported.ids.length, 3);
  });

  test('take no longer to tell apart if all of them are equal', async () => {
    const many = Array.from({ length: 20_000 }, () => row(1, '-4.50', 'Coffee', null));
    let made = 0;
    const newId = (_content: string, nth: number): string => {
      made += 1;
      return String(nth);
    };
    const ids = await identifyRows(many, [], 'csv', newId);
    const known = many.map((one, at) => ({ ...one, id: ids[at] ?? '', file: 'a' }));
    assert.deepEqual(new Set(await identifyRows(many, known, 'csv', newId)), new Set(ids));
    assert.equal(made, many.length);
  });
});
