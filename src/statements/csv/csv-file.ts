import { negated, readAmount } from '../amounts.ts';
import { fileText } from '../file-text.ts';
import { Reading } from '../reading.ts';
import {
  type CsvGuess,
  type CsvLayout,
  type CsvPreview,
  type CsvPreviewRow,
  MAX_STATEMENT_ROWS,
  type Statement,
  type StatementBalance,
  UnusableFile,
} from '../statement-contract.ts';
import { NO_ACCOUNT, rowOf, StatementDraft } from '../statement-draft.ts';
import { balanceRelation } from './csv-balances.ts';
import { guessLayout } from './csv-guess.ts';
import { readCsvRecords } from './csv-records.ts';
import { amountIn, hasNegativeDebits, rowIn } from './csv-rows.ts';

/** Rows that are shown to a person who names the columns. */
const MOST_SHOWN = 200;
/** The work of reading a row, in characters. */
const ROW = 300;
/** The same of looking whether it is one. */
const CELLS = 20;
const IBAN = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b/;

const NEVER = new AbortController().signal;

/** How a CSV is to be read, and what of it the file does not decide. Raises UnusableFile. */
export async function guessCsvLayout(bytes: Uint8Array, signal: AbortSignal = NEVER): Promise<CsvGuess> {
  const reading = new Reading({ signal });
  return guessLayout(await fileText(bytes, reading), MAX_STATEMENT_ROWS, reading);
}

/** What the layout makes of the first rows of a CSV, at most 200. Raises UnusableFile. */
export async function previewCsv(
  bytes: Uint8Array,
  layout: CsvLayout,
  rows: number,
  signal: AbortSignal = NEVER,
): Promise<CsvPreview> {
  const reading = new Reading({ signal });
  const text = await fileText(bytes, reading);
  const [header = []] = (await readCsvRecords(text, layout.delimiter, layout.skipLines + 1, reading)).slice(
    layout.skipLines,
  );
  const records = await tableRows(text, layout, MAX_STATEMENT_ROWS, reading);
  const debitsNegative = hasNegativeDebits(
    records.map(({ cells }) => cells),
    layout,
  );
  return {
    header: layout.header ? header : (records[0]?.cells ?? []),
    rows: records.slice(0, Math.min(rows, MOST_SHOWN)).map(({ cells, position }): CsvPreviewRow => {
      const read = rowOf(rowIn(cells, layout, debitsNegative), position, null);
      return 'field' in read
        ? { position, cells, row: null, unreadable: read.field }
        : { position, cells, row: read, unreadable: null };
    }),
  };
}

interface TableRow {
  readonly cells: string[];
  readonly position: number;
}

/** The records below the header, without empty ones and repetitions of the header. */
async function tableRows(
  text: string,
  layout: CsvLayout,
  limit: number,
  reading: Reading,
): Promise<TableRow[]> {
  const first = layout.skipLines + (layout.header ? 1 : 0);
  const records = await readCsvRecords(text, layout.delimiter, first + limit + 1, reading);
  const header = layout.header ? (records[layout.skipLines] ?? []) : [];
  const isHeader = (cells: readonly string[]) =>
    cells.length === header.length && cells.every((cell, at) => cell === header[at]);
  const rows: TableRow[] = [];
  for (const [at, cells] of records.entries()) {
    if (reading.worked(CELLS)) await reading.pause();
    if (at < first || cells.every((cell) => cell === '')) continue;
    if (isHeader(cells)) continue;
    rows.push({ cells, position: at + 1 });
  }
  return rows;
}

/**
 * The statements of a CSV, one for each account if a column names them. Raises UnusableFile, also if no layout is given
 * and none can be guessed.
 */
export async function readCsv(
  text: string,
  given: CsvLayout | undefined,
  maxRows: number,
  reading: Reading,
): Promise<Statement[]> {
  const layout = given ?? (await guessLayout(text, maxRows, reading)).layout;
  if (layout === null) {
    throw new UnusableFile(
      'unknown_format',
      'The file is not OFX, QFX, QIF, CAMT.053 or MT940, and as a CSV it has no column of dates or none of amounts.',
    );
  }
  const rows = await tableRows(text, layout, maxRows, reading);
  const debitsNegative = hasNegativeDebits(
    rows.map(({ cells }) => cells),
    layout,
  );
  const byAccount = new Map<string, TableRow[]>();
  for (const row of rows) {
    const account = layout.columns.account === null ? '' : (row.cells[layout.columns.account] ?? '');
    const same = byAccount.get(account);
    if (same === undefined) byAccount.set(account, [row]);
    else same.push(row);
  }
  const above = await readCsvRecords(text, layout.delimiter, layout.skipLines, reading);
  const number = IBAN.exec(above.flat().join(' ').slice(0, 2_000).toUpperCase())?.[0] ?? null;
  const statements: Statement[] = [];
  for (const [account, own] of byAccount.size === 0 ? [['', []] as const] : byAccount) {
    const draft = new StatementDraft();
    draft.account = { ...NO_ACCOUNT, number: account === '' ? number : account };
    for (const { cells, position } of own) {
      // Counted against the cap, but shown by its place in the file.
      reading.nextRow();
      draft.add(rowIn(cells, layout, debitsNegative), position);
      if (reading.worked(ROW)) await reading.pause();
    }
    draft.closing = await closingOf(own, layout, debitsNegative, reading);
    statements.push(draft.done());
  }
  return statements;
}

/** The balance of the newest row, if the balances add up with the amounts, which also tells which row is the newest. */
async function closingOf(
  rows: readonly TableRow[],
  layout: CsvLayout,
  debitsNegative: boolean,
  reading: Reading,
): Promise<StatementBalance | null> {
  const { balance } = layout.columns;
  if (balance === null) return null;
  const balanced: Array<{ readonly amount: string; readonly balance: string; readonly cells: string[] }> = [];
  for (const { cells } of rows) {
    if (reading.worked(ROW)) await reading.pause();
    const [amount, after] = [
      amountIn(cells, layout, debitsNegative),
      readAmount(cells[balance] ?? '', layout.decimalSign),
    ];
    if (amount !== null && after !== null) balanced.push({ amount, balance: after, cells });
  }
  const relation = await balanceRelation(balanced, reading);
  if (relation === null) return null;
  const newest = relation.newestFirst ? balanced[0] : balanced.at(-1);
  if (newest === undefined) return null;
  // What a card counts up as spent is owed.
  const owed = layout.positive === 'out' && !relation.subtracted;
  const date = rowIn(newest.cells, layout, debitsNegative).date;
  return { amount: owed ? negated(newest.balance) : newest.balance, date };
}
