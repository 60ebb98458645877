import type { DeliveryRow } from '../../connectors/destinations/delivery-rows.ts';
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
  rows: RowExport,
  options: CsvOptions,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const columns = columnsOf(rows);
  const names = columns.map(({ header }) => header);
  let text = (options.bom ? BOM : '') + csvLine(names, options);
  for (const exported of rows.accounts) {
    for await (const page of exported.pages(signal)) {
      for (const row of page) {
        const shown = deliveryRow(exported, row);
        const values = columns.map(({ value }) => value(shown));
        text += csvLine(values, options);
      }
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

interface CsvColumn {
  readonly header: string;
  readonly value: (row: DeliveryRow) => FieldValue;
}

/** The columns that the sync's owner chose, in their order, else all there are. */
function columnsOf({ type, columns }: Pick<RowExport, 'type' | 'columns'>): readonly CsvColumn[] {
  if (type === 'trades') {
    return (columns?.filter(isTradeField) ?? TRADE_COLUMNS).map((name) => ({
      header: TRADE_FIELDS[name].header,
      value: (row) => (row.kind === 'trade' ? TRADE_VALUES[name](row) : null),
    }));
  }
  return (columns?.filter(isTransactionField) ?? TRANSACTION_COLUMNS).map((name) => ({
    header: TRANSACTION_FIELDS[name].header,
    value: (row) => (row.kind === 'transaction' ? TRANSACTION_VALUES[name](row) : null),
  }));
}

function deliveryRow({ account }: Pick<ExportedAccount, 'account'>, row: RuledRow): DeliveryRow {
  if (row.kind === 'trade') return { kind: 'trade', account, trade: row.trade };
  const { transaction, customCategory, memo, tags } = row;
  return { kind: 'transaction', account, transaction, customCategory, memo, tags, replaces: null };
}
