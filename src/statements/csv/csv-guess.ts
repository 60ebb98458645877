import { guessDecimalSign, readAmount } from '../amounts.ts';
import { DATE_ORDERS, guessDateOrder, readDate } from '../dates.ts';
import type { Reading } from '../reading.ts';
import type { CsvDoubt, CsvGuess, CsvLayout } from '../statement-contract.ts';
import { balanceRelation } from './csv-balances.ts';
import { guessColumns } from './csv-columns.ts';
import { DELIMITERS, readCsvRecords } from './csv-records.ts';
import { amountIn } from './csv-rows.ts';
import { roleRank } from './csv-words.ts';

/** Characters in which the delimiter and the header are looked for. */
const HEAD = 65_536;
const HEAD_RECORDS = 100;
/** Rows by which the direction is decided; more prove nothing more. */
const ENOUGH = 3_000;
/** The work of reading an amount, in characters. */
const AMOUNT = 60;

/** How the CSV is to be read, decided over all of it. Never raises for what it cannot decide: that is a doubt. */
export async function guessLayout(text: string, maxRows: number, reading: Reading): Promise<CsvGuess> {
  const table = await tableOf(text, reading);
  const records = await readCsvRecords(text, table.delimiter, table.first + maxRows + 1, reading);
  const header = records[table.skipLines] ?? [];
  const rows = records.slice(table.first).filter((record) => record.some((cell) => cell !== ''));
  const columns = await guessColumns(table.header ? header : null, rows, reading);
  const base = { header, delimiter: table.delimiter, skipLines: table.skipLines };
  if (columns === null) return { ...base, layout: null, doubts: ['columns'] };
  function* cellsOf(column: number | null) {
    for (const row of column === null ? [] : rows) {
      const cell = row[column ?? 0] ?? '';
      if (cell !== '') yield cell;
    }
  }
  const dates = await guessDateOrder(cellsOf(columns.date), reading);
  function* amounts() {
    for (const column of [columns?.amount, columns?.debit, columns?.credit, columns?.balance]) {
      yield* cellsOf(column ?? null);
    }
  }
  const decimal = await guessDecimalSign(amounts(), reading);
  const layout: CsvLayout = {
    delimiter: table.delimiter,
    skipLines: table.skipLines,
    header: table.header,
    columns,
    dateOrder: dates.order,
    decimalSign: decimal.sign,
    positive: 'in',
  };
  const direction = await directionOf(layout, rows.slice(0, ENOUGH), header, reading);
  const doubts: CsvDoubt[] = [];
  if (!table.header) doubts.push('columns');
  if (!dates.certain && rows.length > 0) doubts.push('date_order');
  if (!decimal.certain) doubts.push('decimal_sign');
  if (!direction.certain && rows.length > 0) doubts.push('direction');
  return { ...base, layout: { ...layout, positive: direction.positive }, doubts };
}

interface Table {
  readonly delimiter: CsvLayout['delimiter'];
  readonly skipLines: number;
  readonly header: boolean;
  /** The first record with a row. */
  readonly first: number;
}

/** The delimiter with which most records of the beginning look like rows, and where the header is above them. */
async function tableOf(text: string, reading: Reading): Promise<Table> {
  const head = text.slice(0, HEAD);
  const declared = /^sep=([,;\t|])\r?\n/i.exec(head)?.[1];
  let best: { readonly table: Table; readonly score: number } | null = null;
  for (const delimiter of DELIMITERS) {
    if (declared !== undefined && declared !== delimiter) continue;
    if (best !== null && !head.includes(delimiter)) continue;
    const records = await readCsvRecords(head, delimiter, HEAD_RECORDS, reading);
    const looks = records.map(looksLikeRow);
    const widths = new Map<number, number>();
    for (const record of records) widths.set(record.length, (widths.get(record.length) ?? 0) + 1);
    const [[width, times] = [1, 0]] = [...widths].filter(([of]) => of > 1).toSorted(([, a], [, b]) => b - a);
    const score = looks.filter(Boolean).length * 1_000 + times * 10 + Math.min(width, 9);
    if (best === null || score > best.score) best = { table: headerOf(records, looks, delimiter), score };
    await reading.pause();
  }
  return best?.table ?? { delimiter: ',', skipLines: 0, header: false, first: 0 };
}

/** Above the first row, past empty records; without any row, the first record that reads like a header. */
function headerOf(
  records: readonly string[][],
  looks: readonly boolean[],
  delimiter: CsvLayout['delimiter'],
): Table {
  const first = looks.indexOf(true);
  if (first < 0) {
    const named = records.findIndex(
      (record) =>
        record.filter(isNamed).length >= 2 && record.some((cell) => roleRank('date', cell) !== null),
    );
    return named < 0
      ? { delimiter, skipLines: 0, header: false, first: 0 }
      : { delimiter, skipLines: named, header: true, first: named + 1 };
  }
  for (let at = first - 1; at >= 0; at -= 1) {
    const record = records[at] ?? [];
    const filled = record.filter((cell) => cell !== '');
    if (filled.length === 0) continue;
    const isHeader =
      filled.length >= 2 && filled.some(isNamed) && !filled.some(isDate) && !filled.some(isAmount);
    if (isHeader) return { delimiter, skipLines: at, header: true, first: at + 1 };
    // A row that is not one, such as a balance brought forward, may be between the header and the first row.
    if (first - at > 3) break;
  }
  return { delimiter, skipLines: first, header: false, first };
}

function isNamed(cell: string): boolean {
  return (
    ['date', 'valueDate', 'amount', 'debit', 'credit', 'description', 'counterparty', 'balance'] as const
  ).some((role) => roleRank(role, cell) !== null);
}

function looksLikeRow(record: readonly string[]): boolean {
  const date = record.findIndex(isDate);
  return date >= 0 && record.some((cell, at) => at !== date && isAmount(cell) && !isDate(cell));
}

export function isDate(cell: string): boolean {
  return DATE_ORDERS.some((order) => readDate(cell, order) !== null);
}

export function isAmount(cell: string): boolean {
  return readAmount(cell, null) !== null || readAmount(cell, '.') !== null || readAmount(cell, ',') !== null;
}

interface Direction {
  readonly positive: CsvLayout['positive'];
  readonly certain: boolean;
}

/** By the balances if they add up; otherwise by the signs, which a card may write the other way round. */
async function directionOf(
  layout: CsvLayout,
  rows: readonly string[][],
  header: readonly string[],
  reading: Reading,
): Promise<Direction> {
  const { amount, debit, credit, direction, balance } = layout.columns;
  if (direction !== null || (debit !== null && credit !== null)) return { positive: 'in', certain: true };
  const amounts: Array<string | null> = [];
  for (const row of rows) {
    amounts.push(amountIn(row, layout, false));
    if (reading.worked(AMOUNT)) await reading.pause();
  }
  if (balance !== null) {
    const balanced = rows.flatMap((row, at) => {
      const [own, after] = [amounts[at] ?? null, readAmount(row[balance] ?? '', layout.decimalSign)];
      return own === null || after === null ? [] : [{ amount: own, balance: after }];
    });
    const relation = await balanceRelation(balanced, reading);
    if (relation !== null) return { positive: relation.subtracted ? 'out' : 'in', certain: true };
  }
  const known = amounts.filter((one) => one !== null);
  const out = known.filter((one) => one.startsWith('-')).length;
  const card = header.some((cell) => /card|karte|carte|tarjeta|kaart|carta|cartao/i.test(cell));
  if (amount === null) return { positive: debit !== null ? 'out' : 'in', certain: debit !== null };
  if (out === 0) return { positive: card ? 'out' : 'in', certain: false };
  // Most people have more rows of spending than of income.
  return out * 2 >= known.length && !card
    ? { positive: 'in', certain: true }
    : { positive: card && out * 2 < known.length ? 'out' : 'in', certain: out * 2 >= known.length };
}
