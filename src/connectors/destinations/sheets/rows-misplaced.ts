import { DestinationFailure } from '../destination-failure.ts';
import type { RowBook } from './row-book.ts';

/** What a batch was to do, by the ids of rows. */
export interface IntendedRows {
  readonly written: Iterable<string>;
  readonly removed: ReadonlySet<string>;
}

/**
 * Whether rows were written or deleted in the wrong place: rows are addressed by number, and between reading the numbers
 * and writing a person may have sorted or inserted. Then an id stands twice and another not at all, or a row that was to
 * go stands as before. Rows that are merely gone were deleted by somebody and stay deleted.
 *
 * @param before in how many rows each id stood; null where an earlier attempt wrote the batch and nobody knows. Then an
 * id that stands twice counts, though a person may have copied it: better one resync for nothing than a lost row.
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

/** What was in the rows is not known here, so the run says it. */
export function misplaced(): DestinationFailure {
  return new DestinationFailure(
    'run_failed',
    'Google Sheets: the sheet was sorted or its columns were moved while rows were being written, and rows may be ' +
      'missing or in the wrong columns. Start a resync to write them again.',
    { outcome: 'unknown', retryable: false },
  );
}
