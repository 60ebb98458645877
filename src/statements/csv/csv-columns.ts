import { readAmount } from '../amounts.ts';
import { DATE_ORDERS, readDate } from '../dates.ts';
import type { Reading } from '../reading.ts';
import type { CsvLayout } from '../statement-contract.ts';
import { type ColumnRole, directionIn, roleRank } from './csv-words.ts';

type Columns = CsvLayout['columns'];

/** Rows that are looked at to see what a column contains. */
const SAMPLE = 500;
const MOST_DESCRIPTIONS = 3;
const MOST_ACCOUNTS = 50;
/** The work of looking at a cell, in characters. */
const CELL = 100;

/** What the cells of a column are, as shares of those that are not empty. */
interface Contents {
  readonly index: number;
  readonly filled: number;
  readonly dates: number;
  readonly amounts: number;
  /** Amounts with a fraction, which counters and codes lack. */
  readonly fractions: number;
  readonly codes: number;
  readonly directions: number;
  readonly distinct: number;
  readonly length: number;
}

/**
 * The columns of a table by its header and by what they contain; null without a column of dates or of amounts. Without
 * a header the first columns that contain dates and amounts are taken, and the longest text.
 */
export async function guessColumns(
  header: readonly string[] | null,
  rows: readonly string[][],
  reading: Reading,
): Promise<Columns | null> {
  const sample = rows.slice(0, SAMPLE);
  const width = Math.max(header?.length ?? 0, ...sample.map((row) => row.length));
  const contents: Contents[] = [];
  for (let index = 0; index < width; index += 1) contents.push(await contentsOf(sample, index, reading));
  const taken = new Set<number>();
  /** The column that says the role best and contains what it needs; taken, so that no other role has it. */
  const take = (role: ColumnRole, suits: (column: Contents) => boolean): number | null => {
    const ranked = contents
      .filter((column) => !taken.has(column.index) && suits(column))
      .map((column) => ({ index: column.index, rank: roleRank(role, header?.[column.index] ?? '') }))
      .filter((column) => column.rank !== null)
      .toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0) || a.index - b.index);
    const index = ranked[0]?.index ?? null;
    if (index !== null) taken.add(index);
    return index;
  };
  const noRows = sample.length === 0;
  const isDates = (column: Contents) => noRows || column.dates > 0.6;
  const isAmounts = (column: Contents) => noRows || (column.amounts > 0.8 && column.dates < 0.8);
  const mayBeEmpty = (column: Contents) => isAmounts(column) || column.filled === 0;

  const currency = take('currency', (column) => column.codes > 0.8);
  const direction = take('direction', (column) => column.directions > 0.9 && column.filled > 0.9);
  let date = take('date', isDates);
  let valueDate = take('valueDate', isDates);
  if (date === null) [date, valueDate] = [valueDate, null];
  if (date === null) date = claim(contents, taken, (column) => column.dates > 0.8);
  if (valueDate === null && header === null)
    valueDate = claim(contents, taken, (column) => column.dates > 0.8);
  const balance = take('balance', isAmounts);
  let [debit, credit, amount] = [
    take('debit', mayBeEmpty),
    take('credit', mayBeEmpty),
    take('amount', isAmounts),
  ];
  // Two columns that are never filled together are the two directions of one amount, whatever else is an amount.
  if (debit !== null && credit !== null) amount = null;
  else if (amount !== null) [debit, credit] = [null, null];
  if (amount === null && debit === null && credit === null) {
    amount =
      claim(contents, taken, (column) => column.amounts > 0.8 && column.fractions > 0.5) ??
      claim(contents, taken, (column) => column.amounts > 0.8 && column.distinct > 1 && column.dates < 0.8);
  }
  if (date === null || (amount === null && debit === null && credit === null)) return null;
  const account = take('account', ({ filled, distinct }) => filled > 0.99 && distinct <= MOST_ACCOUNTS);
  const counterparty = take('counterparty', (column) => column.amounts < 0.5);
  const description: number[] = [];
  for (let more = 0; more < MOST_DESCRIPTIONS; more += 1) {
    const next = take('description', (column) => column.dates < 0.5 && (noRows || column.filled > 0));
    if (next === null) break;
    description.push(next);
  }
  const category = take('category', () => true);
  const reference = take('reference', (column) => column.distinct > sample.length * 0.5);
  if (description.length === 0) {
    const kind = take('kind', () => true);
    const text = counterparty === null && kind === null ? longestText(contents, taken) : kind;
    if (text !== null) description.push(text);
  }
  return {
    date,
    valueDate,
    amount,
    debit,
    credit,
    direction: amount === null ? null : direction,
    description: description.toSorted((a, b) => a - b),
    counterparty,
    reference,
    currency,
    category,
    balance:
      balance ??
      (header === null
        ? claim(contents, taken, (column) => column.amounts > 0.9 && column.fractions > 0.5)
        : null),
    account,
  };
}

/** The first column that is free and suits. */
function claim(
  contents: readonly Contents[],
  taken: Set<number>,
  suits: (column: Contents) => boolean,
): number | null {
  const found = contents.find((column) => !taken.has(column.index) && column.filled > 0 && suits(column));
  if (found !== undefined) taken.add(found.index);
  return found?.index ?? null;
}

function longestText(contents: readonly Contents[], taken: ReadonlySet<number>): number | null {
  const texts = contents.filter(
    ({ index, amounts, dates }) => !taken.has(index) && amounts < 0.5 && dates < 0.5,
  );
  const longest = texts.toSorted((a, b) => b.length - a.length)[0];
  return longest === undefined || longest.length === 0 ? null : longest.index;
}

async function contentsOf(rows: readonly string[][], index: number, reading: Reading): Promise<Contents> {
  const cells: string[] = [];
  const counts = { dates: 0, amounts: 0, fractions: 0, codes: 0, directions: 0, length: 0 };
  for (const row of rows) {
    const cell = row[index] ?? '';
    if (cell === '') continue;
    cells.push(cell);
    counts.length += Math.min(cell.length, 200);
    if (DATE_ORDERS.some((order) => readDate(cell, order) !== null)) counts.dates += 1;
    const amount = readAmount(cell, null) ?? readAmount(cell, '.') ?? readAmount(cell, ',');
    if (amount !== null) counts.amounts += 1;
    if (amount !== null && /[.,]\d{1,3}\D*$/.test(cell)) counts.fractions += 1;
    if (/^[A-Za-z]{3}$/.test(cell)) counts.codes += 1;
    if (directionIn(cell) !== null) counts.directions += 1;
    if (reading.worked(CELL)) await reading.pause();
  }
  const share = (count: number) => (cells.length === 0 ? 0 : count / cells.length);
  return {
    index,
    filled: rows.length === 0 ? 0 : cells.length / rows.length,
    dates: share(counts.dates),
    amounts: share(counts.amounts),
    fractions: share(counts.fractions),
    codes: share(counts.codes),
    directions: share(counts.directions),
    distinct: new Set(cells).size,
    length: rows.length === 0 ? 0 : counts.length / rows.length,
  };
}
