import type { Holding } from '../../../vocabulary/holdings.ts';
import { currencyCode } from '../../../vocabulary/money.ts';
import type { SetAside } from '../../../vocabulary/set-aside-rows.ts';
import { inner, isWireObject, malformed, parseExact, rowsOf, text, type WireObject } from '../kit/json.ts';
import { mapped, NO_FACE } from '../kit/set-aside.ts';
import type { BrokerageClient } from './client.ts';
import type { UserConnection } from './connections.ts';
import { type MappedHolding, mapHolding, namedCurrency, positionIdentity } from './map-holding.ts';
import { Ordinals } from './trade-day.ts';

/** Half the vendor's maximum: a position may include all its purchase lots. */
const PAGE_SIZE = 500;

/** What is needed to read positions, and what an account's own row says. */
export interface HoldingsRead {
  readonly client: BrokerageClient;
  readonly connection: UserConnection;
  readonly account: string;
  readonly accountCurrency: () => Promise<string>;
  /** Receives positions that cannot be read; if absent, they fail the read. */
  readonly setAside: SetAside | undefined;
}

/** Every position of an account. */
export async function readHoldings(read: HoldingsRead, signal: AbortSignal): Promise<Holding[]> {
  const rows = await positionRows(read, signal);
  const needsCurrency = rows.some((row) => currencyCode(namedCurrency(row) ?? '') === null);
  const currency = needsCurrency ? await read.accountCurrency() : '';
  const ordinals = new Ordinals();
  const context = { account: read.account, currency };
  // One without an amount is left out, and does not count as unreadable.
  return rows
    .map((row) => mapped(row, () => mapHolding(row, context), NO_FACE, read.setAside))
    .filter((holding): holding is MappedHolding => holding !== null)
    .map((holding) => holding.holding(ordinals.next(holding.key)));
}

/** The vendor's list, as a whole or by pages: older versions have no pages and ignore the parameters. */
async function positionRows(
  { client, connection, account }: HoldingsRead,
  signal: AbortSignal,
): Promise<readonly WireObject[]> {
  const path = `/accounts/${encodeURIComponent(account)}/positions/all`;
  const rows: WireObject[] = [];
  const known = new Set<string>();
  for (let page = 1; page <= client.limits.list_pages; page++) {
    const query = { page: String(page), page_size: String(PAGE_SIZE) };
    const kind = { account: true, answer: 'page' } as const;
    const body = await client.user(connection, { method: 'GET', path, query, kind }, signal);
    const answer = parseExact(body);
    const received = rowsOf(answer, 'results');
    const paging = pagingOf(answer);
    const identities = received.map(positionIdentity);
    // The next page was requested, and the same rows came again: there are no pages. A single row can be a second lot.
    if (page > 1 && received.length > 0 && identities.every((one) => known.has(one))) {
      if (paging === null) return rows;
      if (received.length > 1) throw malformed('its pages do not advance');
    }
    for (const one of identities) known.add(one);
    for (const row of received) rows.push(row);
    if (rows.length > client.limits.list_rows) break;
    // More than was requested is everything, if the vendor says nothing about pages.
    const more = paging === null ? received.length === PAGE_SIZE : paging.more(rows.length);
    if (received.length === 0 || !more) return rows;
  }
  throw malformed('its list does not end');
}

/** What an answer says about further pages; null for nothing. */
function pagingOf(answer: unknown): { more(read: number): boolean } | null {
  const pagination = isWireObject(answer) ? (inner(answer, 'pagination') ?? answer) : {};
  const total = Number(text(pagination, 'total', 'count') ?? Number.NaN);
  if (Number.isFinite(total)) return { more: (read) => read < total };
  if (!('next' in pagination)) return null;
  const more = text(pagination, 'next') !== null;
  return { more: () => more };
}
