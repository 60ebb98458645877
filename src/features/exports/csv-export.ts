import type { DeliveryRow, HoldingsSnapshot } from '../../connectors/destinations/delivery-rows.ts';
import {
  type FieldValue,
  HOLDING_VALUES,
  TRADE_VALUES,
  TRANSACTION_VALUES,
} from '../../connectors/destinations/row-values.ts';
import { csvLine } from '../../vocabulary/csv-lines.ts';
import type { Holding } from '../../vocabulary/holdings.ts';
import {
  HOLDING_FIELDS,
  type HoldingField,
  TRADE_FIELDS,
  TRANSACTION_FIELDS,
  type TradeField,
  type TransactionField,
} from '../../vocabulary/row-fields.ts';
import type { ExportedAccount, ExportedRow, RowExport } from './row-export.ts';

export interface CsvOptions {
  /** Whether a cell that a spreadsheet would run as a formula gets an apostrophe in front. */
  readonly defuse: boolean;
  /** Whether the file begins with a byte order mark, by which some spreadsheets recognise UTF-8. */
  readonly bom: boolean;
}

const BOM = '\uFEFF';

/** CSV as in RFC 4180, with a header line. The first piece of text is produced after the first page of rows. */
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
        const shown = shownRow(exported, row);
        const values = columns.map(({ value }) => value(shown));
        text += csvLine(values, options);
      }
      // The format has no place for them.
      exported.takeAside();
      if (text !== '') yield text;
      text = '';
    }
  }
  if (text !== '') yield text;
}

const isTransactionField = (name: string): name is TransactionField =>
  Object.hasOwn(TRANSACTION_VALUES, name);
const isHoldingField = (name: string): name is HoldingField => Object.hasOwn(HOLDING_VALUES, name);
const isTradeField = (name: string): name is TradeField => Object.hasOwn(TRADE_VALUES, name);
const TRANSACTION_COLUMNS = Object.keys(TRANSACTION_FIELDS).filter(isTransactionField);
const HOLDING_COLUMNS = Object.keys(HOLDING_FIELDS).filter(isHoldingField);
const TRADE_COLUMNS = Object.keys(TRADE_FIELDS).filter(isTradeField);

/** A row with the values of its columns; a position looks as in a snapshot of its account. */
type ShownRow =
  | DeliveryRow
  | { readonly kind: 'holding'; readonly holding: Holding; readonly of: HoldingsSnapshot };

interface CsvColumn {
  readonly header: string;
  readonly value: (row: ShownRow) => FieldValue;
}

/** The columns that the sync's owner chose, in their order, or else all of them. */
function columnsOf({ type, columns }: Pick<RowExport, 'type' | 'columns'>): readonly CsvColumn[] {
  if (type === 'holdings') {
    return (columns?.filter(isHoldingField) ?? HOLDING_COLUMNS).map((name) => ({
      header: HOLDING_FIELDS[name].header,
      value: (row) => (row.kind === 'holding' ? HOLDING_VALUES[name](row.holding, row.of) : null),
    }));
  }
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

function shownRow({ account }: Pick<ExportedAccount, 'account'>, row: ExportedRow): ShownRow {
  if (row.kind === 'holding') {
    const { holding, readAt } = row;
    return { kind: 'holding', holding, of: { kind: 'holdings', account, readAt, holdings: [holding] } };
  }
  if (row.kind === 'trade') return { kind: 'trade', account, trade: row.trade };
  const { transaction, customCategory, memo, tags } = row;
  return { kind: 'transaction', account, transaction, customCategory, memo, tags, replaces: null };
}
