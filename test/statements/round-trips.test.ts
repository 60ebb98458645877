import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { guessCsvLayout } from '../../src/statements/csv/csv-file.ts';
import { parsed } from './parse.ts';
import { decimal, grouped, type Row, WRITERS } from './writers.ts';

/** Words without the characters that a format gives a meaning at their place. */
const words = fc
  .array(
    fc.constantFrom(
      'Café',
      'Marks & Sons',
      'Müller',
      '12%',
      "O'Brien",
      'Nr. 5',
      'Straße',
      'x',
      'Ærø',
      '#7',
      'A+B',
    ),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((parts) => parts.join(' '));
const row: fc.Arbitrary<Row> = fc.record({
  date: fc
    .date({ min: new Date('2001-01-01'), max: new Date('2059-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
  minor: fc.oneof(fc.integer({ min: 1, max: 10 ** 9 }), fc.integer({ min: -(10 ** 9), max: -1 })),
  text: words,
});
const rows = fc.array(row, { minLength: 1, maxLength: 30 });

describe('rows written in a format are read as the same rows', () => {
  for (const [name, write] of Object.entries(WRITERS)) {
    test(name, async () => {
      await fc.assert(
        fc.asyncProperty(rows, async (all) => {
          const { statements } = await parsed(write(all, 'EUR'));
          const read = statements.flatMap((statement) => statement.rows);
          assert.deepEqual(
            read.map(({ date, amount, description }) => [date, amount, description]),
            all.map(({ date, minor, text }) => [date, decimal(minor), text]),
          );
          assert.deepEqual(
            statements.flatMap(({ unreadable }) => unreadable),
            [],
          );
        }),
        { numRuns: 60 },
      );
    });
  }
});

const LOCALES = [
  {
    delimiter: ',',
    group: ',',
    sign: '.',
    order: 'mdy',
    between: '/',
    header: ['Date', 'Description', 'Amount', 'Balance'],
  },
  {
    delimiter: ';',
    group: '.',
    sign: ',',
    order: 'dmy',
    between: '.',
    header: ['Buchungstag', 'Verwendungszweck', 'Betrag', 'Saldo'],
  },
  {
    delimiter: ';',
    group: ' ',
    sign: ',',
    order: 'dmy',
    between: '/',
    header: ['Date', 'Libellé', 'Montant', 'Solde'],
  },
  {
    delimiter: '\t',
    group: '.',
    sign: ',',
    order: 'dmy',
    between: '-',
    header: ['Fecha', 'Concepto', 'Importe', 'Saldo'],
  },
  {
    delimiter: ',',
    group: '.',
    sign: ',',
    order: 'ymd',
    between: '-',
    header: ['Datum', 'Omschrijving', 'Bedrag', 'Saldo'],
  },
  {
    delimiter: ';',
    group: '’',
    sign: '.',
    order: 'dmy',
    between: '.',
    header: ['Data', 'Descrizione', 'Importo', 'Saldo'],
  },
  {
    delimiter: '|',
    group: '',
    sign: ',',
    order: 'dmy',
    between: '/',
    header: ['Data', 'Descrição', 'Valor', 'Saldo'],
  },
] as const;

/** A CSV of the locale, with lines of account information first, cells in quotes and running balances. */
function csvOf(
  all: readonly Row[],
  locale: (typeof LOCALES)[number],
  newestFirst: boolean,
  inverted: boolean,
): string {
  const { delimiter, group, sign, order, between, header } = locale;
  let balance = 500_000;
  const lines = all.map(({ date, minor, text }) => {
    const [year, month, day] = date.split('-');
    const numbers = { mdy: [month, day, year], dmy: [day, month, year], ymd: [year, month, day] }[order];
    balance += minor;
    return [
      numbers.join(between),
      text,
      grouped(inverted ? -minor : minor, group, sign),
      grouped(balance, group, sign),
    ];
  });
  const sorted = newestFirst ? lines.toReversed() : lines;
  const quoted = (cells: readonly string[]) =>
    cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(delimiter);
  return `Export${delimiter}Example Bank\n\n${[header, ...sorted].map(quoted).join('\r\n')}\r\n`;
}

describe('a CSV of any locale is read as the rows it was written from, without being told how', () => {
  for (const locale of LOCALES) {
    test(locale.header.join(locale.delimiter), async () => {
      const days = fc.uniqueArray(row, {
        minLength: 3,
        maxLength: 20,
        selector: ({ minor }) => Math.abs(minor),
      });
      await fc.assert(
        fc.asyncProperty(days, fc.boolean(), fc.boolean(), async (unsorted, newestFirst, inverted) => {
          // A day after the 12th decides the order of day and month, as in every file of more than a few rows.
          const all = unsorted.map((one, at) => (at === 0 ? { ...one, date: '2026-01-31' } : one));
          const text = csvOf(all, locale, newestFirst, inverted);
          const guess = await guessCsvLayout(new TextEncoder().encode(text));
          assert.deepEqual(guess.doubts, []);
          const { statements } = await parsed(text);
          const read = statements.flatMap((statement) => statement.rows);
          assert.deepEqual(
            read.map(({ date, amount, description }) => [date, amount, description]),
            (newestFirst ? all.toReversed() : all).map(({ date, minor, text: of }) => [
              date,
              decimal(minor),
              of,
            ]),
          );
          const total = all.reduce((sum, { minor }) => sum + minor, 500_000);
          assert.equal(statements[0]?.closing?.amount, decimal(total));
        }),
        { numRuns: 60 },
      );
    });
  }
});
