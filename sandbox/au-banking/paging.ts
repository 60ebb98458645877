import type { Json } from '../shared/json.ts';
import { seedOf } from '../shared/random.ts';
import { badRequest, VendorError } from '../shared/vendor-error.ts';
import type { Point } from './rows/source.ts';

export const PAGE_PARAMETERS = ['page[size]', 'page[after]'] as const;
const MAX_PAGE_SIZE = 1000;
const DEFAULT_PAGE_SIZE = 100;

/** `page[size]`: a positive integer, silently capped at 1000. */
export function pageSize(query: URLSearchParams): number {
  const given = query.get('page[size]');
  if (given === null) return DEFAULT_PAGE_SIZE;
  if (!/^[1-9]\d{0,8}$/.test(given))
    throw badRequest('invalid_parameter', 'page[size] must be a positive integer');
  return Math.min(Number(given), MAX_PAGE_SIZE);
}

/** The vendor answers 503, not 400, to an invalid cursor. */
export const unreadableCursor = (): VendorError =>
  new VendorError(503, 'service_unavailable', 'the request could not be completed');

/** The position after which to continue. */
export function pageAfter(query: URLSearchParams): Point | null {
  const cursor = query.get('page[after]');
  if (cursor === null) return null;
  const point = decodeCursor(cursor);
  if (!point) throw unreadableCursor();
  return point;
}

/** The absolute address of the page after `point`, with every other parameter kept. */
export function nextLink(baseUrl: string, path: string, query: URLSearchParams, point: Point | null): string {
  const next = new URLSearchParams(query);
  next.set('page[after]', encodeCursor(point));
  return `${baseUrl}${path}?${next}`;
}

/** One page of a short list that is ordered by a unique key. */
export function pageList(
  items: readonly { readonly key: string; readonly json: Json }[],
  baseUrl: string,
  path: string,
  query: URLSearchParams,
): { readonly items: readonly Json[]; readonly links: { readonly next?: string } } {
  const after = pageAfter(query);
  const size = pageSize(query);
  const sorted = items.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const rest = after ? sorted.filter((item) => item.key > after.source) : sorted;
  const page = rest.slice(0, size);
  const last = page.at(-1);
  const more = rest.length > size && last;
  const links = more
    ? { next: nextLink(baseUrl, path, query, { time: 0, source: last.key, position: 0 }) }
    : {};
  return { items: page.map((item) => item.json), links };
}

const START: Point = { time: Number.POSITIVE_INFINITY, source: '', position: -1 };

/** An opaque `page[after]` value. It is a position in the order, so new rows at the front do not shift it. */
export function encodeCursor(point: Point | null): string {
  const { time, source, position } = point ?? START;
  const text = JSON.stringify([Number.isFinite(time) ? time : null, source, position]);
  return `${Buffer.from(text).toString('base64url')}.${seedOf(text).toString(16)}`;
}

/** The position of a cursor, or null for anything this sandbox did not issue. */
function decodeCursor(cursor: string): Point | null {
  const [body = '', check] = cursor.split('.');
  const text = Buffer.from(body, 'base64url').toString();
  if (seedOf(text).toString(16) !== check) return null;
  try {
    const parsed: unknown = JSON.parse(text);
    if (!Array.isArray(parsed)) return null;
    const [time, source, position]: unknown[] = parsed;
    if (typeof source !== 'string' || typeof position !== 'number') return null;
    if (time === null) return { time: Number.POSITIVE_INFINITY, source, position };
    return typeof time === 'number' ? { time, source, position } : null;
  } catch {
    return null;
  }
}
