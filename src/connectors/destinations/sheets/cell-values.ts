import type { FieldForm } from '../../../vocabulary/row-fields.ts';
import type { FieldValue } from '../row-values.ts';
import type { CellValue } from './sheet-requests.ts';

/** The most characters of a cell. */
const CELL_CHARACTERS = 50_000;
/** Decimals of so many digits survive as the double that a cell holds. */
const EXACT_DIGITS = 15;
const DAY_MS = 86_400_000;
/** Day 0 of a spreadsheet. */
const EPOCH_MS = Date.UTC(1899, 11, 30);
const DECIMAL = /^-?(\d+)(?:\.(\d+))?$/;
const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/**
 * A field as its cell shows it. An amount with more digits than a cell's number holds is written as text: every digit
 * is there, and sums leave it out, instead of a number that is a little off.
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

/** The day whose number a cell holds; null where it is none. */
export function dayOfCell(number: number): string | null {
  const day = new Date(EPOCH_MS + number * DAY_MS);
  return Number.isInteger(number) && !Number.isNaN(day.getTime()) ? day.toISOString().slice(0, 10) : null;
}

/** The longest that a cell holds ends in an ellipsis. Half a surrogate pair is no text that could be sent. */
function textCell(value: string): string {
  const text = value.toWellFormed();
  if (text.length <= CELL_CHARACTERS) return text;
  const cut = text.slice(0, CELL_CHARACTERS - 1);
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

/** How cells of a form show numbers; null where they are left as they are. */
export function numberFormat(form: FieldForm): Readonly<Record<string, string>> | null {
  return form === 'date' ? { type: 'DATE', pattern: 'yyyy-mm-dd' } : null;
}
