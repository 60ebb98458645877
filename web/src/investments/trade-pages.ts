import type { Trade } from '#client';
import type { Days, RowAside } from '../api/held-rows.ts';

/** A page of trades to be read. */
export interface TradePageAsked extends Days {
  readonly account: string;
  /** The token from the previous page; null for the first page of these days. */
  readonly page: string | null;
}

export interface TradePage {
  readonly account: string;
  readonly rows: readonly Trade[];
  /** The days of the list that the page is of. */
  readonly days: string;
  /** Trades of the same days that could not be read. */
  readonly aside: readonly RowAside[];
  /** The page to read after this one; null if the account has no more. */
  readonly next: TradePageAsked | null;
  /** Why the account could not be read; null if it was. */
  readonly error: unknown;
}

/** The page read last of each account. */
export function latestPages(reads: readonly (readonly TradePage[])[]): readonly TradePage[] {
  return [...new Map(reads.flat().map((page) => [page.account, page])).values()];
}

/** The page that is missing first from a list of all accounts, newest first. */
export function nextToRead(latest: readonly TradePage[]): TradePageAsked | null {
  const [furthest] = latest
    .filter(({ next }) => next !== null)
    .toSorted((a, b) => (reachOf(a) < reachOf(b) ? 1 : -1));
  return furthest?.next ?? null;
}

/** The day down to which an account is read; it may have more trades on that day. */
function reachOf({ rows, next }: TradePage): string {
  return rows.at(-1)?.trade_date ?? next?.to ?? '';
}

/** The trades of all accounts, newest first, down to the day that every account has been read to. */
export function tradesOf(reads: readonly (readonly TradePage[])[]): readonly Trade[] {
  const open = latestPages(reads).filter(({ next }) => next !== null);
  const reach = open.map(reachOf).reduce((latest, day) => (day > latest ? day : latest), '');
  const rows = new Map(reads.flat().flatMap((page) => page.rows.map((row) => [row.id, row] as const)));
  return [...rows.values()].filter(({ trade_date: day }) => day >= reach).sort(newestFirst);
}

/** The trades of an account that could not be read: each page of a list names those of all its days. */
export function asideOf(reads: readonly (readonly TradePage[])[], account: string): readonly RowAside[] {
  const own = reads.flat().filter((page) => page.account === account);
  return [...new Map(own.map(({ days, aside }) => [days, aside])).values()].flat();
}

function newestFirst(a: Trade, b: Trade): number {
  if (a.trade_date !== b.trade_date) return a.trade_date < b.trade_date ? 1 : -1;
  return a.id === b.id ? 0 : a.id < b.id ? 1 : -1;
}
