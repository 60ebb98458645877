import type { CallKind } from '../kit/failures.ts';
import { parseExact, type WireObject } from '../kit/json.ts';
import { cursorOfNextLink } from '../kit/next-link.ts';
import { allRows, pagesByCursor } from '../kit/paging.ts';
import { rowsOf } from '../kit/rows.ts';
import type { AuBankingClient } from './client.ts';

/** The vendor's maximum; a larger number is silently cut to it. */
const PAGE_SIZE = '1000';

export interface PagedRead {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** The member that holds the rows. */
  readonly plural: string;
  readonly kind?: Partial<CallKind>;
  /** How a body is parsed; exactly, unless said otherwise. */
  readonly parse?: (body: string) => unknown;
}

/** The pages of a list, as the vendor sends them. */
export function wirePages(
  client: AuBankingClient,
  read: PagedRead,
  signal: AbortSignal,
): AsyncGenerator<readonly WireObject[]> {
  const { path, plural, parse = parseExact } = read;
  return pagesByCursor(async (cursor) => {
    const query: Record<string, string> = { ...read.query, 'page[size]': PAGE_SIZE };
    if (cursor !== null) query['page[after]'] = cursor;
    const kind = { answer: 'list', ...read.kind, cursor: cursor !== null } as const;
    const answer = parse(await client.get(path, query, signal, kind));
    return { rows: rowsOf(answer, plural), next: cursorOfNextLink(answer, 'page[after]') };
  }, client.limits);
}

/** All rows of a short list. */
export function wireRows(
  client: AuBankingClient,
  read: PagedRead,
  signal: AbortSignal,
): Promise<WireObject[]> {
  return allRows(() => wirePages(client, read, signal), client.limits);
}
