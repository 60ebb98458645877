import type { FieldForm } from '../../../vocabulary/row-fields.ts';
import type { FieldValue } from '../row-values.ts';
import type { NewMetadata } from './workbook.ts';

/** The input of a column's value. */
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
  /** Whether it is added if the sheet lacks it; others are filled only if a person created them. */
  readonly needed: boolean;
  /** Whether an update writes it again; false to keep what people typed. */
  readonly updated: boolean;
  /** Whether it is hidden when it is added, because it is for us and not for people. */
  readonly hidden: boolean;
  readonly value: (source: ColumnSource) => FieldValue;
}

/** One request of a batch. */
export type SheetRequest = PlainRequest | WrittenCells;

/** Like Google's `Request`: a single member, whose name is the operation. */
type PlainRequest = Readonly<Record<string, unknown>>;

/** A cell to write: its value, or nothing. */
export type CellValue = string | number | null;

export type CellRow = readonly CellValue[];

/** JSON of a cell. A text stays text whatever it begins with: nothing that a bank sends becomes a formula. */
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

/** Cells from a corner to the right and down. Formats are not changed. */
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

/**
 * The same, but each row is built only when it becomes text: a chunk's cells as objects take several times its memory.
 */
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

/** New columns at an index: a person's data there, with or without a header, moves to the right. */
export function columnsInserted(sheetId: number, startIndex: number, count: number): SheetRequest {
  const range = { sheetId, dimension: 'COLUMNS', startIndex, endIndex: startIndex + count };
  return { insertDimension: { range, inheritFromBefore: true } };
}

/**
 * New rows at an index. What is there moves down, including what a person has just typed: nothing is overwritten.
 * Formats come from the row below, if there is one, which is below the last of ours and has the columns' own.
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

/** @param indexes of rows to delete; from the last to the first, so that none moves before its turn */
export function rowsGone(sheetId: number, indexes: Iterable<number>): readonly SheetRequest[] {
  return runsOf(indexes)
    .toReversed()
    .map(([startIndex, endIndex]) => ({
      deleteDimension: { range: { sheetId, dimension: 'ROWS', startIndex, endIndex } },
    }));
}

/** As ranges of neighbours, in order, each with its end excluded. */
export function runsOf(indexes: Iterable<number>): readonly (readonly [start: number, end: number])[] {
  const runs: [number, number][] = [];
  for (const index of [...new Set(indexes)].toSorted((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last !== undefined && last[1] === index) last[1] = index + 1;
    else runs.push([index, index + 1]);
  }
  return runs;
}
