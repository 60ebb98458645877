import type { ExistedAs } from '../delivery-rows.ts';
import { DestinationFailure } from '../destination-failure.ts';
import { bySheet, cellsOf, type PlacedRow } from './chunk-plan.ts';
import type { CellRange, GoogleApi } from './client.ts';
import type { RowBook } from './row-book.ts';
import { runsOf } from './sheet-requests.ts';

/** What a batch should do, by the ids of rows. */
interface IntendedRows {
  readonly written: Iterable<string>;
  readonly removed: ReadonlySet<string>;
}

/**
 * Whether rows were written or deleted in the wrong place: rows are addressed by number, and between reading the
 * numbers and writing, a person may have sorted or inserted rows. Then an id is there twice and another not at all, or
 * a row that should be deleted still exists. Rows that are just missing were deleted by someone and stay deleted.
 *
 * @param before in how many rows each id was; null if unknown because an earlier attempt wrote the batch. Then an id
 * that is there twice counts, although a person may have copied it: an unnecessary resync is better than a lost row.
 */
export function areMisplaced(
  before: ReadonlyMap<string, number> | null,
  book: RowBook,
  { written: ids, removed }: IntendedRows,
): boolean {
  const written = [...ids];
  const hasDoubled = written.some((id) => book.copies(id) > Math.max(1, before?.get(id) ?? 1));
  if (before === null) return hasDoubled || [...removed].some((id) => book.place(id) !== null);
  if ([...removed].some((id) => book.copies(id) >= (before.get(id) ?? Infinity))) return true;
  const isLost = [...before.keys()].some((id) => book.place(id) === null && !removed.has(id));
  const areAllLost = written.length > 0 && written.every((id) => book.place(id) === null);
  return isLost && (hasDoubled || areAllLost);
}

/** The content of the rows is unknown here, so the run reports it. */
export function misplaced(): DestinationFailure {
  return new DestinationFailure(
    'run_failed',
    'Google Sheets: the sheet was sorted or its columns were moved while rows were being written, and rows may be ' +
      'missing or in the wrong columns. Start a resync to write them again.',
    { outcome: 'unknown', retryable: false },
  );
}

/**
 * Beyond this many ranges of neighbouring rows, or this many cells, writing the rows again costs less than reading
 * them.
 */
const RANGES = 500;
const CELLS = 150_000;

/**
 * Which of the rows already show everything that would be written. Null if the rows have moved: their numbers must be
 * read again. Cells of a column that an update does not write are ignored.
 */
export async function comparedRows(
  api: GoogleApi,
  book: RowBook,
  rows: readonly PlacedRow[],
  today: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ExistedAs> | null> {
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
  const compared = new Map<string, ExistedAs>();
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
