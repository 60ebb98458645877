/** Where a row stands in a list: the text it is sorted by, then its id. Total, so no two rows share a place. */
export interface RowPlace {
  readonly by: string;
  readonly id: string;
}

export interface SortedPageRequest {
  readonly limit: number;
  /** Rows strictly after this place, or null. */
  readonly after: RowPlace | null;
  /** Rows strictly before this place, the nearest ones, or null. */
  readonly before: RowPlace | null;
}

export interface SortedPage<T> {
  readonly rows: readonly T[];
  readonly hasMore: boolean;
  readonly hasPrevious: boolean;
}

/**
 * A page of rows fetched whole, in the order of `compare`. By place, not by count: rows that come or go while a caller
 * walks neither repeat nor hide another.
 */
export function sortedPage<T>(
  rows: readonly T[],
  placeOf: (row: T) => RowPlace,
  compare: (a: RowPlace, b: RowPlace) => number,
  { limit, after, before }: SortedPageRequest,
): SortedPage<T> {
  const sorted = rows.toSorted((a, b) => compare(placeOf(a), placeOf(b)));
  if (before !== null) {
    const earlier = sorted.filter((row) => compare(placeOf(row), before) < 0);
    const later = earlier.length < sorted.length;
    return { rows: earlier.slice(-limit), hasMore: later, hasPrevious: earlier.length > limit };
  }
  const rest = after === null ? sorted : sorted.filter((row) => compare(placeOf(row), after) > 0);
  return {
    rows: rest.slice(0, limit),
    hasMore: rest.length > limit,
    hasPrevious: rest.length < sorted.length,
  };
}

/** By text upwards. */
export function ascending(a: RowPlace, b: RowPlace): number {
  if (a.by !== b.by) return a.by < b.by ? -1 : 1;
  return a.id === b.id ? 0 : a.id < b.id ? -1 : 1;
}

/** By text downwards, which for days is newest first. */
export function descending(a: RowPlace, b: RowPlace): number {
  return ascending(b, a);
}
