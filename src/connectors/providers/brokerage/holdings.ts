import type { Holding } from '../../../vocabulary/holdings.ts';
import { currencyCode } from '../../../vocabulary/money.ts';
import { isWireObject, malformed, parseExact, type WireObject } from '../kit/json.ts';
import { inner, text } from '../kit/members.ts';
import { rowsOf } from '../kit/rows.ts';
import type { BrokerageClient } from './client.ts';
import type { UserConnection } from './connections.ts';
import { type MappedHolding, mapHolding, namedCurrency } from './map-holding.ts';
import { Ordinals } from './ordinals.ts';

/** Half the vendor's maximum: a position may bring all the lots it was bought in. */
const PAGE_SIZE = 500;

/** Where positions are read, and what an account's own row says of it. */
export interface HoldingsRead {
  readonly client: BrokerageClient;
  readonly connection: UserConnection;
  readonly account: string;
  readonly accountCurrency: () => Promise<string>;
}

/** Every position of an account. */
export async function readHoldings(read: HoldingsRead, signal: AbortSignal): Promise<Holding[]> {
  const rows = await positionRows(read, signal);
  const needsCurrency = rows.some((row) => currencyCode(namedCurrency(row) ?? '') === null);
  const currency = needsCurrency ? await read.accountCurrency() : '';
  const ordinals = new Ordinals();
  return rows
    .map((row) => mapHolding(row, { account: read.account, currency }))
    .filter((mapped): mapped is MappedHolding => mapped !== null)
    .map((mapped) => mapped.holding(ordinals.next(mapped.key)));
}

/** The vendor's list, which it sends whole or by pages: older descriptions know no pages and ignore the asking. */
async function positionRows(
  { client, connection, account }: HoldingsRead,
  signal: AbortSignal,
): Promise<readonly WireObject[]> {
  const path = `/accounts/${encodeURIComponent(account)}/positions/all`;
  const rows: WireObject[] = [];
  let last = '';
  for (let page = 1; page <= client.limits.list_pages; page++) {
    const query = { page: String(page), page_size: String(PAGE_SIZE) };
    const kind = { account: true, answer: 'page' } as const;
    const body = await client.user(connection, { method: 'GET', path, query, kind }, signal);
    const answer = parseExact(body);
    const received = rowsOf(answer, 'results');
    const said = JSON.stringify(received);
    // It was asked for the next page and sent the same one: there are none.
    if (page > 1 && said === last) return rows;
    last = said;
    for (const row of received) rows.push(row);
    if (rows.length > client.limits.list_rows) break;
    if (received.length === 0 || !hasMore(answer, rows.length, received.length)) return rows;
  }
  throw malformed('its list does not end');
}

function hasMore(answer: unknown, read: number, received: number): boolean {
  const pagination = isWireObject(answer) ? (inner(answer, 'pagination') ?? answer) : {};
  const total = Number(text(pagination, 'total', 'count') ?? Number.NaN);
  if (Number.isFinite(total)) return read < total;
  if ('next' in pagination) return text(pagination, 'next') !== null;
  return received >= PAGE_SIZE;
}
