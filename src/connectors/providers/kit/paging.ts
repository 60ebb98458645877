import { faceOf, isOtherRow, type RowFace, withOwnId } from '../../../platform/shared-row-ids.ts';
import type { Limits } from '../../../vocabulary/limits.ts';
import type { Transaction } from '../../../vocabulary/transactions.ts';
import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import { inner, isWireObject, malformed, text, type WireObject } from './json.ts';

/** A page may be empty while its cursor is live; this many in a row is a pagination loop. */
const MAX_EMPTY_PAGES = 20;
/** Consecutive pages without a new row: a pagination loop. */
const MAX_REPEATED_PAGES = 20;
/**
 * How many ids are remembered at least: well above the rows of one instant of an account, and two pages of the vendor.
 */
const GENERATION = 2500;

/** One page of a list. */
export interface WirePage {
  readonly rows: readonly WireObject[];
  /** Where the next page begins; null after the last. */
  readonly next: string | null;
}

/**
 * The pages of a list, as the vendor sends them. Raises UpstreamFailure for a page that is too long, and for pages that
 * do not advance.
 *
 * @param fetch reads the page after a cursor, or the first one
 */
export async function* pagesByCursor(
  fetch: (cursor: string | null) => Promise<WirePage>,
  limits: Pick<Limits, 'answer_page_rows'>,
): AsyncGenerator<readonly WireObject[]> {
  let cursor: string | null = null;
  let empty = 0;
  do {
    const { rows, next }: WirePage = await fetch(cursor);
    if (rows.length > limits.answer_page_rows) throw malformed('a page holds too many rows');
    empty = rows.length === 0 ? empty + 1 : 0;
    const stuck = next === cursor && rows.length > 0;
    if (next !== null && (stuck || empty >= MAX_EMPTY_PAGES)) throw malformed('its pages do not advance');
    cursor = next;
    yield rows;
  } while (cursor !== null);
}

/**
 * All rows of a short list. After a stale cursor, it starts again from the first page. Raises UpstreamFailure for a
 * list that does not end.
 *
 * @param pages starts from the first page each time
 */
export async function allRows(
  pages: () => AsyncIterable<readonly WireObject[]>,
  limits: Pick<Limits, 'list_rows' | 'list_pages'>,
): Promise<WireObject[]> {
  try {
    return await collected(pages(), limits);
  } catch (error) {
    if (!isStale(error)) throw error;
    return collected(pages(), limits);
  }
}

/** Whether a read failed because its cursor is no longer accepted: a restart may help. */
export function isStale(error: unknown): boolean {
  return error instanceof UpstreamFailure && error.situation === 'stale_cursor';
}

async function collected(
  pages: AsyncIterable<readonly WireObject[]>,
  { list_rows: mostRows, list_pages: mostPages }: Pick<Limits, 'list_rows' | 'list_pages'>,
): Promise<WireObject[]> {
  const rows: WireObject[] = [];
  let count = 0;
  for await (const page of pages) {
    count += 1;
    if (count > mostPages || rows.length + page.length > mostRows) throw malformed('its list does not end');
    for (const row of page) rows.push(row);
  }
  return rows;
}

/**
 * The cursor inside `links.next`; null after the last page. Only its value is used: the address would decide where our
 * token is sent next, and is not followed. Raises UpstreamFailure for an address without a cursor.
 *
 * @param parameter of the query, which contains the cursor
 */
export function cursorOfNextLink(answer: unknown, parameter: string): string | null {
  const links = isWireObject(answer) ? inner(answer, 'links') : null;
  const next = links === null ? null : text(links, 'next');
  if (next === null) return null;
  const cursor = URL.parse(next, 'https://unused.invalid')?.searchParams.get(parameter) ?? '';
  if (cursor === '') throw malformed('its next page has no cursor');
  return cursor;
}

/** Drops rows that a vendor repeats, in constant memory, and ends a read that brings nothing else. */
export class Repeats {
  readonly #ids = new RecentIds<RowFace | null>();
  #pages = 0;

  /** How many of the latest rows are recognised for certain. */
  get certain(): number {
    return this.#ids.certain;
  }

  /** Whether the row is new; it is remembered either way. */
  isNew(id: string): boolean {
    return this.#ids.add(id, null);
  }

  /**
   * The row if it is new, which is then remembered; null for a repeat. Another posted row with the same id gets its own
   * id, derived from its content (docs/sync-engine.md#several-rows-under-one-id).
   */
  unrepeated(row: Transaction): Transaction | null {
    const before = this.#ids.get(row.id);
    if (before === undefined) {
      this.#ids.add(row.id, faceOf(row));
      return row;
    }
    if (before === null || !isOtherRow(before, row)) return null;
    const own = withOwnId(row);
    return this.#ids.add(own.id, faceOf(own)) ? own : null;
  }

  /** Raises UpstreamFailure after too many pages that repeat themselves. `fresh`: the page had a new row, or no row. */
  endPage(fresh: boolean): void {
    this.#pages = fresh ? 0 : this.#pages + 1;
    if (this.#pages >= MAX_REPEATED_PAGES) throw malformed('its pages repeat themselves');
  }
}

/**
 * Remembers the last few thousand ids in constant memory: two generations, the older is dropped when the newer is full.
 * That is enough to drop repeats, because the vendor orders by time and a repeat is near its first occurrence: at a
 * page's edge, or after a cursor was replaced.
 */
export class RecentIds<Value = true> {
  #young = new Map<string, Value>();
  #old = new Map<string, Value>();

  /** How many of the latest ids are remembered for certain. */
  get certain(): number {
    return GENERATION;
  }

  /** Whether the id is among those remembered. */
  has(id: string): boolean {
    return this.#young.has(id) || this.#old.has(id);
  }

  /** What was remembered with the id; undefined if it is unknown. */
  get(id: string): Value | undefined {
    return this.#young.get(id) ?? this.#old.get(id);
  }

  /** Whether the id is new. If so, it is remembered with the value. */
  add(id: string, value: Value): boolean {
    if (this.has(id)) return false;
    if (this.#young.size >= GENERATION) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(id, value);
    return true;
  }
}
