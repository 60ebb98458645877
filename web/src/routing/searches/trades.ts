import { TRADE_TYPES, type TradeType } from '../../../../src/vocabulary/holdings.ts';
import { isCalendarDay } from './calendar-day.ts';
import type { Search } from './search.ts';

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
