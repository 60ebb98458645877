import type { Limits } from '../../../vocabulary/limits.ts';
import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import { malformed, type WireObject } from './json.ts';

/** A page may be empty while its cursor is live; this many in a row is a pagination loop. */
const MAX_EMPTY_PAGES = 20;

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
 * All rows of a short list. A cursor that went stale is given one new start from the first page. Raises UpstreamFailure
 * for a list that does not end.
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

/** Whether a read failed because its cursor is no longer taken: a new start may help. */
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
