import type { Json, JsonObject } from '../shared/json.ts';
import { json, type Reply } from '../shared/reply.ts';
import { badRequest } from '../shared/vendor-error.ts';
import type { Place } from './rows.ts';

const MOST = 100;
const USUAL = 30;

/** A cursor that Up did not issue is refused like any other parameter. */
export const unreadableCursor = () => badRequest('page[after]', 'The cursor is not one of this list.');

/** `page[size]`, at most 100. @throws VendorError 400 */
export function pageSize(query: URLSearchParams): number {
  const given = query.get('page[size]');
  if (given === null) return USUAL;
  if (!/^[1-9]\d{0,2}$/.test(given) || Number(given) > MOST)
    throw badRequest('page[size]', `The page size must be from 1 to ${MOST}.`);
  return Number(given);
}

/** Where a page begins; null for the first. @throws VendorError 400 */
export function pageAfter(query: URLSearchParams): Place | null {
  const cursor = query.get('page[after]');
  if (cursor === null) return null;
  let read: unknown;
  try {
    read = JSON.parse(Buffer.from(cursor, 'base64').toString());
  } catch {
    throw unreadableCursor();
  }
  const [at, id]: readonly unknown[] = Array.isArray(read) ? read : [];
  if (typeof at !== 'string' || typeof id !== 'string' || !Number.isFinite(Date.parse(at)))
    throw unreadableCursor();
  return { at: Date.parse(at), id };
}

/** A page of a list. `next`: the position after which another page follows; null on the last. */
export function pageReply(
  data: readonly Json[],
  address: string,
  query: URLSearchParams,
  next: Place | null | 'start',
): Reply {
  const links: JsonObject = { prev: null, next: next === null ? null : nextLink(address, query, next) };
  return json(200, { data, links });
}

function nextLink(address: string, query: URLSearchParams, next: Place | 'start'): string {
  const asked = new URLSearchParams(query);
  const place =
    next === 'start' ? [new Date(8.64e15).toISOString(), '~'] : [new Date(next.at).toISOString(), next.id];
  asked.set('page[after]', Buffer.from(JSON.stringify(place)).toString('base64'));
  return `${address}?${asked}`;
}

/** One page of a list that is short and in memory. */
export function pageOf<Item extends { readonly id: string }>(
  items: readonly Item[],
  query: URLSearchParams,
): { readonly page: readonly Item[]; readonly next: Place | null } {
  const after = pageAfter(query);
  const begin = after === null ? 0 : items.findIndex(({ id }) => id === after.id) + 1;
  if (after !== null && begin === 0) throw unreadableCursor();
  const page = items.slice(begin, begin + pageSize(query));
  const last = page.at(-1);
  const more = begin + page.length < items.length && last !== undefined;
  return { page, next: more ? { at: 0, id: last.id } : null };
}
