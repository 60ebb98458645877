import { TRADE_TYPES, type TradeType } from '../../../src/vocabulary/holdings.ts';
import { isCalendarDay, type Search } from '../shell/search.ts';

/** Which holdings are shown, and in which order. */
export interface HoldingsSearch {
  readonly account?: string;
  readonly sort?: HoldingSort;
}

/** Largest value first is the default, which is not in the address. */
export const HOLDING_SORTS = ['name', 'gain', 'loss'] as const;
export type HoldingSort = (typeof HOLDING_SORTS)[number];

export function holdingsSearch({ account, sort: named }: Search): HoldingsSearch {
  const sort = HOLDING_SORTS.find((one) => one === named);
  return { ...(typeof account === 'string' && { account }), ...(sort !== undefined && { sort }) };
}

/** Which trades are shown. */
export interface TradesSearch {
  readonly account?: string;
  readonly type?: TradeType;
  readonly from?: string;
  readonly to?: string;
}

export function tradesSearch({ account, type: named, from, to }: Search): TradesSearch {
  const type = TRADE_TYPES.find((one) => one === named);
  return {
    ...(typeof account === 'string' && { account }),
    ...(type !== undefined && { type }),
    ...(isCalendarDay(from) && { from }),
    ...(isCalendarDay(to) && { to }),
  };
}
