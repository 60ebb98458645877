/** Where a row is in a list: the text it is sorted by, then its id. Total, so no two rows share a position. */
export interface RowPlace {
  readonly by: string;
  readonly id: string;
}

export interface SortedPageRequest {
  readonly limit: number;
  /** Rows strictly after this position, or null. */
  readonly after: RowPlace | null;
  /** Rows strictly before this position, the nearest ones, or null. */
  readonly before: RowPlace | null;
}

export interface SortedPage<T> {
  readonly rows: readonly T[];
  readonly hasMore: boolean;
  readonly hasPrevious: boolean;
}

/** How the rows of a list are ordered. */
export interface RowOrder<T> {
  readonly placeOf: (row: T) => RowPlace;
  readonly compare: (a: RowPlace, b: RowPlace) => number;
}

/**
 * Finds one page among rows that come in any order and any number, in the memory of that page. By position, not by
 * count: rows that come or go while a caller follows the pages neither repeat nor hide another.
 */
export class PageCollector<T> {
  readonly #order: RowOrder<T>;
  readonly #request: SortedPageRequest;
  /**
   * The rows nearest to where the page begins or ends, in order: those of the page, and one more that shows whether
   * others follow.
   */
  #nearest: T[] = [];
  /** Whether there were rows on the other side of that position. */
  #others = false;

  constructor(order: RowOrder<T>, request: SortedPageRequest) {
    this.#order = order;
    this.#request = request;
  }

  add(rows: readonly T[]): void {
    const { placeOf, compare } = this.#order;
    const { limit, before } = this.#request;
    const wanted = rows.filter((row) => this.#isWanted(row));
    if (wanted.length < rows.length) this.#others = true;
    if (wanted.length === 0) return;
    const sorted = [...this.#nearest, ...wanted].sort((a, b) => compare(placeOf(a), placeOf(b)));
    this.#nearest = before === null ? sorted.slice(0, limit + 1) : sorted.slice(-(limit + 1));
  }

  /** The page among all rows that were added. */
  page(): SortedPage<T> {
    const { limit, before } = this.#request;
    const further = this.#nearest.length > limit;
    return before === null
      ? { rows: this.#nearest.slice(0, limit), hasMore: further, hasPrevious: this.#others }
      : { rows: this.#nearest.slice(-limit), hasMore: this.#others, hasPrevious: further };
  }

  #isWanted(row: T): boolean {
    const { placeOf, compare } = this.#order;
    const { after, before } = this.#request;
    if (before !== null) return compare(placeOf(row), before) < 0;
    return after === null || compare(placeOf(row), after) > 0;
  }
}

/** A page of rows that were fetched whole. */
export function sortedPage<T>(
  rows: readonly T[],
  order: RowOrder<T>,
  request: SortedPageRequest,
): SortedPage<T> {
  const collector = new PageCollector(order, request);
  collector.add(rows);
  return collector.page();
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
