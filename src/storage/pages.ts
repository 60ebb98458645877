import type { Page, PageRequest } from '../vocabulary/paging.ts';

/** A query that can still be narrowed, ordered and limited: every Kysely select of a table with `id`. */
interface Pageable<Row> {
  where(column: 'id', operator: '<' | '>', value: string): Pageable<Row>;
  orderBy(column: 'id', direction: 'asc' | 'desc'): Pageable<Row>;
  limit(count: number): Pageable<Row>;
  execute(): Promise<Row[]>;
}

/**
 * One page, newest first by UUIDv7 id. By keyset, not offset: rows inserted between two pages never shift the second.
 * `query` is the filtered select; the order and the limit are added here.
 */
export async function selectPage<Row>(query: Pageable<Row>, request: PageRequest): Promise<Page<Row>> {
  const backwards = request.before !== null;
  let narrowed = query;
  if (request.after !== null) narrowed = narrowed.where('id', '<', request.after);
  if (request.before !== null) narrowed = narrowed.where('id', '>', request.before);
  const rows = await narrowed
    .orderBy('id', backwards ? 'asc' : 'desc')
    .limit(request.limit + 1)
    .execute();
  const more = rows.length > request.limit;
  const items = more ? rows.slice(0, request.limit) : rows;
  if (backwards) return { items: items.reverse(), hasMore: true, hasPrevious: more };
  return { items, hasMore: more, hasPrevious: request.after !== null };
}
