import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import type { AuBankingClient } from './client.ts';
import type { CallKind } from './errors.ts';
import { inner, isWireObject, malformed, parseExact, rowsOf, text, type WireObject } from './wire.ts';

/** The vendor's maximum; a larger number is silently cut to it. */
const PAGE_SIZE = '1000';
/** A page may be empty while its cursor is live; this many in a row is a vendor that turns in circles. */
const MAX_EMPTY_PAGES = 20;

export interface PagedRead {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** The member that holds the rows. */
  readonly plural: string;
  readonly kind?: Partial<CallKind>;
  /** How a body is parsed; exactly, unless told otherwise. */
  readonly parse?: (body: string) => unknown;
}

/** The pages of a list, as the vendor sends them. */
export async function* wirePages(
  client: AuBankingClient,
  read: PagedRead,
  signal: AbortSignal,
): AsyncGenerator<WireObject[]> {
  const parse = read.parse ?? parseExact;
  let cursor: string | null = null;
  let empty = 0;
  do {
    const query: Record<string, string> = { ...read.query, 'page[size]': PAGE_SIZE };
    if (cursor !== null) query['page[after]'] = cursor;
    const answer = parse(
      await client.get(read.path, query, signal, { ...read.kind, cursor: cursor !== null }),
    );
    const rows = rowsOf(answer, read.plural);
    const next = nextCursor(answer);
    empty = rows.length === 0 ? empty + 1 : 0;
    const stuck = next === cursor && rows.length > 0;
    if (next !== null && (stuck || empty >= MAX_EMPTY_PAGES)) throw malformed('its pages do not advance');
    cursor = next;
    yield rows;
  } while (cursor !== null);
}

/** All rows of a short list. A cursor that went stale is given one new start from the first page. */
export async function wireRows(
  client: AuBankingClient,
  read: PagedRead,
  signal: AbortSignal,
): Promise<WireObject[]> {
  try {
    return await collect(client, read, signal);
  } catch (error) {
    if (!isStale(error)) throw error;
    return collect(client, read, signal);
  }
}

export function isStale(error: unknown): boolean {
  return error instanceof UpstreamFailure && error.situation === 'stale_cursor';
}

async function collect(client: AuBankingClient, read: PagedRead, signal: AbortSignal): Promise<WireObject[]> {
  const rows: WireObject[] = [];
  for await (const page of wirePages(client, read, signal)) rows.push(...page);
  return rows;
}

/**
 * The cursor inside `links.next`. Only its value is taken: the address is the vendor's word for where to send our
 * token next, and it is not followed.
 */
function nextCursor(answer: unknown): string | null {
  const links = isWireObject(answer) ? inner(answer, 'links') : null;
  const next = links === null ? null : text(links, 'next');
  if (next === null) return null;
  const cursor = URL.parse(next, 'https://unused.invalid')?.searchParams.get('page[after]') ?? '';
  if (cursor === '') throw malformed('its next page has no cursor');
  return cursor;
}
