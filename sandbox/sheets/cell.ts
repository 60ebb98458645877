import { isRecord, type JsonObject } from '../shared/json.ts';
import { invalid } from './errors.ts';

/** What is in a cell. */
export interface Cell {
  readonly value: string | number | boolean | null;
  /** As typed, with `=`; it is not computed. */
  readonly formula: string | null;
  readonly format: { readonly type: string; readonly pattern: string } | null;
}

export const BLANK: Cell = { value: null, formula: null, format: null };
const CHARACTERS = 50_000;
const DAY_MS = 86_400_000;
const EPOCH_MS = Date.UTC(1899, 11, 30);

/** The parts of a cell that a field mask of `CellData` selects. */
interface CellMask {
  readonly value: boolean;
  readonly format: boolean;
}

export function cellMask(fields: unknown, at: string): CellMask {
  if (typeof fields !== 'string' || fields === '')
    throw invalid(
      `Invalid ${at}: At least one field must be listed in 'fields'. (use '*' to indicate all fields)`,
    );
  const names = fields.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !MASKS.some((pattern) => pattern.test(name)));
  if (unknown !== undefined) throw invalid(`Invalid ${at}: Invalid field: ${unknown}`);
  const names_ = (pattern: RegExp): boolean => names.some((name) => name === '*' || pattern.test(name));
  return { value: names_(MASKS[1]), format: names_(MASKS[2]) };
}

const MASKS = [/^\*$/, /^userEnteredValue$/, /^userEnteredFormat(?:\.numberFormat(?:\.\w+)?)?$/] as const;
const VALUES = ['stringValue', 'numberValue', 'boolValue', 'formulaValue'] as const;

/** A cell after a `CellData` was written to it. */
export function writtenCell(before: Cell, data: unknown, mask: CellMask, at: string): Cell {
  if (!isRecord(data)) throw invalid(`Invalid value at '${at}'`);
  for (const name of Object.keys(data)) {
    if (!['userEnteredValue', 'userEnteredFormat', 'note'].includes(name)) throw unknownName(name, at);
  }
  return {
    ...(mask.value
      ? valueOfCell(data.userEnteredValue, at)
      : { value: before.value, formula: before.formula }),
    format: mask.format ? formatOf(data.userEnteredFormat) : before.format,
  };
}

function valueOfCell(given: unknown, at: string): Pick<Cell, 'value' | 'formula'> {
  if (given === undefined) return { value: null, formula: null };
  if (!isRecord(given)) throw invalid(`Invalid value at '${at}.user_entered_value'`);
  const [name, ...more] = Object.keys(given);
  if (name === undefined) return { value: null, formula: null };
  if (!VALUES.some((one) => one === name) || more.length > 0)
    throw unknownName(name, `${at}.user_entered_value`);
  const { stringValue, numberValue, boolValue, formulaValue } = given;
  if (typeof stringValue === 'string' || typeof formulaValue === 'string') {
    const text = String(stringValue ?? formulaValue);
    if (text.length > CHARACTERS) {
      throw invalid(
        `Invalid ${at}: Your input contains more than the maximum of ${CHARACTERS} characters in a single cell.`,
      );
    }
    if (typeof formulaValue === 'string') return { value: text, formula: text };
    return { value: text === '' ? null : text, formula: null };
  }
  if (typeof numberValue === 'number') return { value: numberValue, formula: null };
  if (typeof boolValue === 'boolean') return { value: boolValue, formula: null };
  throw invalid(`Invalid value at '${at}.user_entered_value.${name}'`);
}

function formatOf(given: unknown): Cell['format'] {
  const format = isRecord(given) && isRecord(given.numberFormat) ? given.numberFormat : null;
  if (format === null) return null;
  const { type, pattern = '' } = format;
  if (typeof type !== 'string' || typeof pattern !== 'string')
    throw invalid('The number format has no type.');
  return { type, pattern };
}

export const unknownName = (name: string, at: string) =>
  invalid(`Invalid JSON payload received. Unknown name "${name}" at '${at}': Cannot find field.`);

/** The value of a cell as people see it. */
export function shownCell({ value, format }: Cell): string {
  if (value === null) return '';
  if (typeof value === 'number' && (format?.type === 'DATE' || format?.type === 'DATE_TIME')) {
    return new Date(EPOCH_MS + value * DAY_MS).toISOString().slice(0, 10);
  }
  return typeof value === 'boolean' ? String(value).toUpperCase() : String(value);
}

/** `CellData` of a cell. */
export function cellJson(cell: Cell): JsonObject {
  const { value, formula, format } = cell;
  if (value === null && format === null) return {};
  const extended =
    typeof value === 'number'
      ? { numberValue: value }
      : typeof value === 'boolean'
        ? { boolValue: value }
        : { stringValue: value ?? '' };
  return {
    ...(value === null ? {} : { userEnteredValue: formula === null ? extended : { formulaValue: formula } }),
    ...(value === null ? {} : { effectiveValue: extended, formattedValue: shownCell(cell) }),
    ...(format === null ? {} : { userEnteredFormat: { numberFormat: { ...format } } }),
  };
}

/** `A`, `Z`, `AA`, and so on. */
export function columnLetters(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnLetters(Math.floor(index / 26) - 1) + letter;
}
