import { DestinationFailure } from '../destination-failure.ts';
import { exactNumber } from '../kit/rows.ts';
import type { FieldValue } from '../row-values.ts';
import type { ColumnSpec } from './columns.ts';
import type { TableColumn } from './table-columns.ts';

/** A record was written, and Airtable shows something else in one of its cells than it was sent. */
export class ChangedCell extends DestinationFailure {
  constructor({ header, form }: ColumnSpec) {
    const advice = form === 'decimal' ? 'numbers or of text' : 'text';
    super(
      'run_failed',
      `Airtable shows something else in the column “${header}” than it was sent: make it a column of ${advice}.`,
      { outcome: 'unknown', retryable: false },
    );
  }
}

/** What is written into the cells of a record, by the ids of their columns. */
export type Cells = Readonly<Record<string, string | number | null>>;

const NUMBERS: ReadonlySet<string> = new Set(['number', 'currency']);
/** The most characters of a text in Airtable. */
const MOST_CHARACTERS = 100_000;
const CUT = '…';

/** The cells of a row; null for a row with a figure that Airtable, which computes with doubles, would change. */
export function cellsOf(columns: readonly TableColumn[], values: readonly FieldValue[]): Cells | null {
  const cells: Record<string, string | number | null> = {};
  for (const [at, { id, type }] of columns.entries()) {
    const value = values[at] ?? null;
    if (value === null) cells[id] = null;
    else if (NUMBERS.has(type)) {
      const number = exactNumber(value);
      if (number === null) return null;
      cells[id] = number;
    } else cells[id] = shortened(value);
  }
  return cells;
}

/** Whether a record shows these cells. */
export function shows(fields: Readonly<Record<string, unknown>>, cells: Cells): boolean {
  return Object.entries(cells).every(([id, cell]) => isSame(fields[id], cell));
}

/**
 * The first of the columns in which the record does not show what was sent; null if all do. Texts may differ in blanks
 * and in characters that nobody sees: one such row must not end every run.
 */
export function changedColumn(
  columns: readonly TableColumn[],
  fields: Readonly<Record<string, unknown>>,
  cells: Cells,
): TableColumn | null {
  const isChanged = ({ id, spec: { form } }: TableColumn): boolean => {
    const [shown, sent] = [fields[id], cells[id] ?? null];
    if (isSame(shown, sent)) return false;
    const isText = form === 'text' || form === 'long_text';
    return !(isText && typeof sent === 'string' && visible(shown ?? '') === visible(sent));
  };
  return columns.find(isChanged) ?? null;
}

/** Airtable leaves empty cells out. */
function isSame(shown: unknown, sent: string | number | null): boolean {
  return sent === null || sent === '' ? (shown ?? '') === '' : shown === sent;
}

/** What can be seen of a text; null for what is none. */
function visible(text: unknown): string | null {
  return typeof text === 'string' ? text.normalize('NFC').replaceAll(/[\s\p{C}]+/gu, '') : null;
}

/** Cut between characters, never within one. */
export function shortened(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  const end = MOST_CHARACTERS - CUT.length;
  const high = text.charCodeAt(end - 1);
  return text.slice(0, high >= 0xd800 && high <= 0xdbff ? end - 1 : end) + CUT;
}
