import { infiniteQueryOptions } from '@tanstack/react-query';
import { ApiError } from '#client';
import { api } from '../api/client.ts';
import type { Days } from '../api/held-rows.ts';
import { takeTurns } from '../api/queries.ts';
import { dayAway } from '../format/days.ts';
import { latestPages, nextToRead, type TradePage, type TradePageAsked } from './trade-pages.ts';

export interface TradeWindow extends Days {
  readonly accounts: readonly string[];
}

const A_PAGE = 100;
const inTurn = takeTurns(2);
/** A list of trades covers no more days than this; a longer period is read in several lists (docs/resources.md#trade). */
const MOST_DAYS = 366;

/** Trades of accounts, newest first: all accounts at first, then a page at a time of the one that is furthest behind. */
export function trades({ accounts, from, to }: TradeWindow) {
  const first = accounts.map((account) => tradeDays({ account, from, to }));
  return infiniteQueryOptions({
    queryKey: ['trades', { accounts, from, to }],
    queryFn: async ({ pageParam, signal }) => {
      const pages = await Promise.all(pageParam.map((asked) => inTurn(() => readPage(asked, from, signal))));
      const failed = pages.filter(({ error }) => error !== null);
      for (const { error } of failed) {
        // A limit of requests is no failure of a broker: all wait and ask again.
        if (failed.length === pages.length || (error instanceof ApiError && error.status === 429))
          throw error;
      }
      return pages;
    },
    initialPageParam: first,
    getNextPageParam: (_, reads: readonly (readonly TradePage[])[]) => {
      const next = nextToRead(latestPages(reads));
      return next === null ? null : [next];
    },
    staleTime: 300_000,
    refetchOnWindowFocus: false,
  });
}

async function readPage(asked: TradePageAsked, from: string, signal: AbortSignal): Promise<TradePage> {
  const { account, page } = asked;
  try {
    const list = api.trades.list(
      { account, from: asked.from, to: asked.to, limit: A_PAGE, page: page ?? undefined },
      { signal },
    );
    const { data: rows, next, setAside: aside } = await list.page();
    const older = asked.from > from ? tradeDays({ account, from, to: dayAway(asked.from, -1) }) : null;
    return {
      account,
      rows,
      days: asked.from,
      aside,
      next: next === null ? older : { ...asked, page: next },
      error: null,
    };
  } catch (error) {
    if (signal.aborted) throw error;
    return { account, rows: [], days: asked.from, aside: [], next: null, error };
  }
}

/** The last days of a period that one list can cover. */
function tradeDays({ account, from, to }: Days & { readonly account: string }): TradePageAsked {
  const earliest = dayAway(to, 1 - MOST_DAYS);
  return { account, from: from > earliest ? from : earliest, to, page: null };
}
