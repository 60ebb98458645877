import {
  type FieldForm,
  SYNC_KEYS,
  TRADE_FIELDS,
  TRANSACTION_FIELDS,
} from '../../../vocabulary/row-fields.ts';
import type { SyncType } from '../../../vocabulary/syncs.ts';
import type { DeliveryRow, TradeRow, TransactionRow } from '../delivery-rows.ts';
import type { OpenedSync } from '../destination-contract.ts';
import {
  chosenFields,
  decodeValues,
  encodeValues,
  type FieldValue,
  TRADE_VALUES,
  TRANSACTION_VALUES,
} from '../row-values.ts';
import type { CellValue } from './sheet-requests.ts';

/** The most characters of a cell. */
const CELL_CHARACTERS = 50_000;
/** Decimals with this many digits survive as the double of a cell. */
const EXACT_DIGITS = 15;
const DAY_MS = 86_400_000;
/** Day 0 of a spreadsheet. */
const EPOCH_MS = Date.UTC(1899, 11, 30);
const DECIMAL = /^-?(\d+)(?:\.(\d+))?$/;
const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/**
 * A field as shown in its cell. An amount with more digits than a cell's number can represent is written as text: then
 * every digit is there, and sums leave it out, instead of a slightly wrong number.
 */
export function cellValue(form: FieldForm, value: FieldValue): CellValue {
  if (value === null) return null;
  if (form === 'decimal') return decimalCell(value);
  if (form === 'date') return dateCell(value);
  return textCell(value);
}

function decimalCell(value: string): CellValue {
  const [, units = '', fraction = ''] = DECIMAL.exec(value) ?? [];
  if (units === '') return textCell(value);
  const digits = (units + fraction.replace(/0+$/, '')).replace(/^0+/, '');
  return digits.length <= EXACT_DIGITS ? Number(value) + 0 : value;
}

function dateCell(value: string): CellValue {
  const [, year, month, day] = DAY.exec(value) ?? [];
  if (year === undefined) return textCell(value);
  return Math.round((Date.UTC(Number(year), Number(month) - 1, Number(day)) - EPOCH_MS) / DAY_MS);
}

/** The day whose number is in a cell; null if it is not one. */
export function dayOfCell(number: number): string | null {
  const day = new Date(EPOCH_MS + number * DAY_MS);
  return Number.isInteger(number) && !Number.isNaN(day.getTime()) ? day.toISOString().slice(0, 10) : null;
}

/** A text that is too long for a cell ends in an ellipsis. Half a surrogate pair could not be sent. */
function textCell(value: string): string {
  const text = value.toWellFormed();
  if (text.length <= CELL_CHARACTERS) return text;
  const cut = text.slice(0, CELL_CHARACTERS - 1);
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

/** The number format of cells; null to leave them as they are. */
export function numberFormat(form: FieldForm): Readonly<Record<string, string>> | null {
  return form === 'date' ? { type: 'DATE', pattern: 'yyyy-mm-dd' } : null;
}

/** In addition to the fields of a transaction: only the person's own category, without a fallback. */
const CUSTOM_CATEGORY = 'custom_category';
const TRANSACTION_READERS = new Map<string, (row: TransactionRow) => FieldValue>([
  ...Object.entries(TRANSACTION_VALUES),
  [CUSTOM_CATEGORY, ({ customCategory }) => customCategory],
]);
const TRADE_READERS = new Map<string, (row: TradeRow) => FieldValue>(Object.entries(TRADE_VALUES));

/**
 * The text of a sync's rows between `encode` and `write`: every value that a column of any of its tables could show, so
 * that it does not depend on the sheet.
 */
export class RowText {
  readonly #names: readonly string[];
  /** The field that rows are found by; empty for positions, which have no text. */
  readonly key: string;

  constructor({ type, columns }: Pick<OpenedSync, 'type' | 'columns'>) {
    this.key = SYNC_KEYS[type] ?? '';
    this.#names = NAMES[type](columns);
  }

  encoded(row: DeliveryRow): string {
    const shown = (name: string): FieldValue =>
      (row.kind === 'trade' ? TRADE_READERS.get(name)?.(row) : TRANSACTION_READERS.get(name)?.(row)) ?? null;
    return encodeValues(this.#names.map(shown));
  }

  /** Values by field of a row's text. @throws TypeError for text that is not from `encoded` with the same columns */
  valuesOf(text: string): Readonly<Record<string, FieldValue>> {
    const values = decodeValues(text);
    if (values.length !== this.#names.length) {
      throw new TypeError('an encoded row has another number of values');
    }
    const named: Record<string, FieldValue> = {};
    for (const [at, name] of this.#names.entries()) named[name] = values[at] ?? null;
    return named;
  }
}

/** What is encoded of the rows of each type; positions are written as a whole and have no text. */
const NAMES: Readonly<Record<SyncType, (columns: OpenedSync['columns']) => readonly string[]>> = {
  transactions: (columns) => transactionNames(chosenFields(columns, TRANSACTION_FIELDS, 'transaction_id')),
  trades: (columns) => chosenFields(columns, TRADE_FIELDS, 'trade_id') ?? [...TRADE_READERS.keys()],
  holdings: () => [],
};

/** Including what a template derives from a chosen field in addition to its value. */
function transactionNames(chosen: readonly string[] | null): readonly string[] {
  if (chosen === null) return [...TRANSACTION_READERS.keys()];
  const more = [
    ...(chosen.includes('date') ? ['post_date'] : []),
    ...(chosen.includes('category') ? [CUSTOM_CATEGORY] : []),
  ];
  return [...new Set([...chosen, ...more])];
}
