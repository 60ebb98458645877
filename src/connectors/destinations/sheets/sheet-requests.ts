import type { FieldForm } from '../../../vocabulary/row-fields.ts';
import type { FieldValue } from '../row-values.ts';
import type { NewMetadata } from './workbook.ts';

/** What the value of a column is made from. */
export interface ColumnSource {
  /** The row's values by field. */
  readonly values: Readonly<Record<string, FieldValue>>;
  /** The day on which the row is written, `YYYY-MM-DD`. */
  readonly today: string;
}

export interface SheetColumn {
  /** Unique in its table; together with the table's name it is the column's metadata. */
  readonly name: string;
  readonly header: string;
  readonly form: FieldForm;
  /** Whether it is added where the sheet lacks it; others are filled only where somebody made them. */
  readonly needed: boolean;
  /** Whether an update writes it again; false if people keep what they typed. */
  readonly updated: boolean;
  /** Whether it is hidden when it is added: for us and not for people. */
  readonly hidden: boolean;
  readonly value: (source: ColumnSource) => FieldValue;
}

/** One request of a batch. */
export type SheetRequest = PlainRequest | WrittenCells;

/** As Google's `Request` is: a single member that says what it does. */
type PlainRequest = Readonly<Record<string, unknown>>;

/** A cell that is to be written: what it shows, or nothing. */
export type CellValue = string | number | null;

export type CellRow = readonly CellValue[];

/** JSON of a cell. A text is a text whatever it begins with: nothing that a bank sends becomes a formula. */
function cellJson(value: CellValue): Readonly<Record<string, unknown>> {
  if (value === null || value === '') return {};
  return { userEnteredValue: typeof value === 'number' ? { numberValue: value } : { stringValue: value } };
}

/** The same as text, without an object for each cell. */
function cellText(value: CellValue): string {
  if (value === null || value === '') return '{}';
  const member = typeof value === 'number' ? 'numberValue' : 'stringValue';
  return `{"userEnteredValue":{"${member}":${JSON.stringify(value)}}}`;
}

export const rowJson = (row: CellRow) => ({ values: row.map(cellJson) });

/** Cells from a corner to the right and down. Formats stay as they are. */
export function cells(
  sheetId: number,
  rowIndex: number,
  columnIndex: number,
  rows: readonly CellRow[],
): WrittenCells {
  return new WrittenCells(
    sheetId,
    rowIndex,
    columnIndex,
    rows.map((row) => () => row),
  );
}

/** The same, where each row is made when it becomes text: a chunk's cells as objects take several times its memory. */
export class WrittenCells {
  readonly #sheetId: number;
  readonly #rowIndex: number;
  readonly #columnIndex: number;
  readonly #rows: readonly (() => CellRow)[];

  constructor(sheetId: number, rowIndex: number, columnIndex: number, rows: readonly (() => CellRow)[]) {
    this.#sheetId = sheetId;
    this.#rowIndex = rowIndex;
    this.#columnIndex = columnIndex;
    this.#rows = rows;
  }

  /** JSON of the request, piece by piece. */
  *texts(): Generator<string> {
    const start = { sheetId: this.#sheetId, rowIndex: this.#rowIndex, columnIndex: this.#columnIndex };
    yield `{"updateCells":{"fields":"userEnteredValue","start":${JSON.stringify(start)},"rows":[`;
    for (const [at, row] of this.#rows.entries()) {
      yield `${at === 0 ? '' : ','}{"values":[${row().map(cellText).join()}]}`;
    }
    yield ']}}';
  }
}

export function columnFormat(
  sheetId: number,
  at: number,
  numberFormat: Readonly<Record<string, string>>,
): SheetRequest {
  return {
    repeatCell: {
      range: { sheetId, startRowIndex: 1, startColumnIndex: at, endColumnIndex: at + 1 },
      cell: { userEnteredFormat: { numberFormat } },
      fields: 'userEnteredFormat.numberFormat',
    },
  };
}

export function metadata(entry: NewMetadata): SheetRequest {
  return { createDeveloperMetadata: { developerMetadata: entry } };
}

export function metadataGone(metadataId: number): SheetRequest {
  return { deleteDeveloperMetadata: { dataFilter: { developerMetadataLookup: { metadataId } } } };
}

export function moreOf(sheetId: number, dimension: 'ROWS' | 'COLUMNS', length: number): SheetRequest {
  return { appendDimension: { sheetId, dimension, length } };
}

/** New columns at an index: what a person keeps there, with a header or without, moves to the right. */
export function columnsInserted(sheetId: number, startIndex: number, count: number): SheetRequest {
  const range = { sheetId, dimension: 'COLUMNS', startIndex, endIndex: startIndex + count };
  return { insertDimension: { range, inheritFromBefore: true } };
}

/**
 * New rows at an index. What is there moves down, also what a person typed there a moment ago: nothing is written
 * over. Formats come from the row below, which is below the last of ours and has the columns' own, where there is one.
 */
export function rowsInserted(
  sheetId: number,
  startIndex: number,
  count: number,
  rowCount: number,
): SheetRequest {
  return {
    insertDimension: {
      range: { sheetId, dimension: 'ROWS', startIndex, endIndex: startIndex + count },
      inheritFromBefore: startIndex >= rowCount,
    },
  };
}

/** @param indexes of rows that go; the last goes first, so that none moves before it is its turn */
export function rowsGone(sheetId: number, indexes: Iterable<number>): readonly SheetRequest[] {
  return runsOf(indexes)
    .toReversed()
    .map(([startIndex, endIndex]) => ({
      deleteDimension: { range: { sheetId, dimension: 'ROWS', startIndex, endIndex } },
    }));
}

/** Neighbours together, in order, each with its end excluded. */
export function runsOf(indexes: Iterable<number>): readonly (readonly [start: number, end: number])[] {
  const runs: [number, number][] = [];
  for (const index of [...new Set(indexes)].toSorted((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last !== undefined && last[1] === index) last[1] = index + 1;
    else runs.push([index, index + 1]);
  }
  return runs;
}
