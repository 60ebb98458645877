import type { StoodAs } from '../outgoing-chunk.ts';
import type { PlacedRow } from './chunk-plan.ts';
import { bySheet, cellsOf } from './chunk-requests.ts';
import type { CellRange, GoogleApi } from './client.ts';
import type { RowBook } from './row-book.ts';
import { runsOf } from './sheet-requests.ts';

/** Beyond so many stretches of neighbouring rows, or so many cells, writing the rows again costs less than reading them. */
const RANGES = 500;
const CELLS = 150_000;

/**
 * Which of the rows show all that would be written. Null where the rows are not where they were: their numbers are to
 * be read again. Cells of a column that an update leaves alone are not looked at.
 */
export async function comparedRows(
  api: GoogleApi,
  book: RowBook,
  rows: readonly PlacedRow[],
  today: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, StoodAs> | null> {
  const ranges = rangesOf(book, rows);
  const size = ranges.reduce(
    (sum, one) => sum + (one.endRowIndex - one.startRowIndex) * (one.endColumnIndex - one.startColumnIndex),
    0,
  );
  if (ranges.length > RANGES || size > CELLS) return new Map(rows.map(({ id }) => [id, 'updated']));
  const found = await api.values(book.workbook.id, ranges, signal);
  const cellAt = (sheetId: number, row: number, at: number): unknown => {
    const index = ranges.findIndex(
      (one) => one.sheetId === sheetId && one.startRowIndex <= row && row < one.endRowIndex,
    );
    const range = ranges[index];
    if (range === undefined) return undefined;
    return found[index]?.[at - range.startColumnIndex]?.[row - range.startRowIndex];
  };
  const compared = new Map<string, StoodAs>();
  for (const row of rows) {
    const { sheetId, row: number } = row.place;
    const { columns } = book.tab(sheetId);
    if (cellAt(sheetId, number, columns.key) !== row.was) return null;
    const wanted = cellsOf(row, today);
    const isSame = columns.placed.every(
      ({ column, at }) => !column.updated || (wanted(column) ?? '') === (cellAt(sheetId, number, at) ?? ''),
    );
    compared.set(row.id, isSame ? 'same' : 'updated');
  }
  return compared;
}

function rangesOf(book: RowBook, rows: readonly PlacedRow[]): readonly CellRange[] {
  return [...bySheet(rows.map(({ place }) => place))].flatMap(([sheetId, numbers]) => {
    const { placed } = book.tab(sheetId).columns;
    const startColumnIndex = placed[0]?.at ?? 0;
    const endColumnIndex = (placed.at(-1)?.at ?? 0) + 1;
    return runsOf(numbers).map(([startRowIndex, endRowIndex]) => ({
      sheetId,
      startRowIndex,
      endRowIndex,
      startColumnIndex,
      endColumnIndex,
    }));
  });
}
