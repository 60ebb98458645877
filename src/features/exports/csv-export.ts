import {
  type FieldValue,
  TRADE_VALUES,
  TRANSACTION_VALUES,
} from '../../connectors/destinations/row-values.ts';
import {
  TRADE_FIELDS,
  TRANSACTION_FIELDS,
  type TradeField,
  type TransactionField,
} from '../../vocabulary/row-fields.ts';
import type { RuledRow } from '../sync-engine/row-rules.ts';
import type { ExportedAccount, RowExport } from './row-export.ts';

export interface CsvOptions {
  /** Whether a cell that a spreadsheet would run as a formula gets an apostrophe in front. */
  readonly defuse: boolean;
  /** Whether the file begins with a byte order mark, by which some spreadsheets recognise UTF-8. */
  readonly bom: boolean;
}

const BOM = '\uFEFF';
const LINE_END = '\r\n';
const NEEDS_QUOTES = /[",\r\n]/;
const NUMBER = /^[+-]?\d+(?:\.\d+)?$/;
/** What a spreadsheet takes for a formula, or what another defused cell would look like. */
const FORMULA = /^'*[=+\-@\t\r]/;

/** CSV by RFC 4180, with one line of names. The first piece of text follows the first page of rows. */
export async function* csvText(
  { type, accounts }: RowExport,
  options: CsvOptions,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const columns = type === 'trades' ? Object.values(TRADE_FIELDS) : Object.values(TRANSACTION_FIELDS);
  const names = columns.map(({ header }) => header);
  let text = (options.bom ? BOM : '') + csvLine(names, options);
  for (const exported of accounts) {
    for await (const page of exported.pages(signal)) {
      for (const row of page) text += csvLine(valuesOf(exported, row), options);
      if (text !== '') yield text;
      text = '';
    }
  }
  if (text !== '') yield text;
}

/** A line of cells with its end. */
export function csvLine(values: readonly FieldValue[], { defuse }: Pick<CsvOptions, 'defuse'>): string {
  return values.map((value) => cell(defuse ? defused(value ?? '') : (value ?? ''))).join(',') + LINE_END;
}

/**
 * The text, with an apostrophe in front where it begins like a formula and is no number. A text that begins with
 * apostrophes and then like a formula gets one more, so removing one where a formula follows gives every text back.
 */
export function defused(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}

function cell(text: string): string {
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const isTransactionField = (name: string): name is TransactionField =>
  Object.hasOwn(TRANSACTION_VALUES, name);
const isTradeField = (name: string): name is TradeField => Object.hasOwn(TRADE_VALUES, name);
const TRANSACTION_COLUMNS = Object.keys(TRANSACTION_FIELDS).filter(isTransactionField);
const TRADE_COLUMNS = Object.keys(TRADE_FIELDS).filter(isTradeField);

function valuesOf({ account }: Pick<ExportedAccount, 'account'>, row: RuledRow): FieldValue[] {
  if (row.kind === 'trade') {
    const shown = { kind: 'trade', account, trade: row.trade } as const;
    return TRADE_COLUMNS.map((column) => TRADE_VALUES[column](shown));
  }
  const { transaction, customCategory, memo, tags } = row;
  const shown = {
    kind: 'transaction',
    account,
    transaction,
    customCategory,
    memo,
    tags,
    replaces: null,
  } as const;
  return TRANSACTION_COLUMNS.map((column) => TRANSACTION_VALUES[column](shown));
}
