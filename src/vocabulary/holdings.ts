import type { LocalDate } from './moments.ts';
import type { ExactMoney } from './money.ts';

/** What a position is in. What is none of these is `other`. */
export const ASSET_TYPES = [
  'stock',
  'adr',
  'etf',
  'mutual_fund',
  'closed_end_fund',
  'crypto',
  'option',
  'future',
  'cfd',
  'other',
] as const;
export type AssetType = (typeof ASSET_TYPES)[number];

/**
 * One position of a brokerage account as every surface shows it, mapped from a provider's row and never stored. Prices
 * and values are in the holding's currency (docs/resources.md#holding).
 */
export interface Holding {
  /** The tagged v2 id, `hold_…`. */
  readonly id: string;
  readonly symbol: string | null;
  readonly name: string | null;
  readonly exchange: string | null;
  /** Null if the provider does not say. */
  readonly asset_type: AssetType | null;
  /** Lower-case ISO 4217 code. */
  readonly currency: string;
  /** A decimal, as sent: fractions of a share have no minor unit. */
  readonly quantity: string;
  readonly average_price: ExactMoney | null;
  readonly current_price: ExactMoney | null;
  readonly market_value: ExactMoney | null;
  readonly unrealized_pnl: ExactMoney | null;
}

/** Types of trades; any other is `other`. docs/adding-a-provider.md#types-of-trades says what belongs where. */
export const TRADE_TYPES = [
  'buy',
  'sell',
  'dividend',
  'split',
  'transfer',
  'fee',
  'interest',
  'other',
] as const;
export type TradeType = (typeof TRADE_TYPES)[number];

/** One trade of a brokerage account (docs/resources.md#trade). */
export interface Trade {
  /** The tagged v2 id, `trd_…`. */
  readonly id: string;
  readonly symbol: string | null;
  readonly name: string | null;
  readonly type: TradeType;
  /** A decimal, as sent. */
  readonly quantity: string | null;
  readonly price: ExactMoney | null;
  readonly currency: string;
  readonly total_amount: ExactMoney | null;
  readonly fees: ExactMoney | null;
  /** Day of the trade in the account's zone. */
  readonly trade_date: LocalDate;
  /** The moment as sent, RFC 3339 with the broker's offset; null if the broker names only a day. */
  readonly trade_datetime: string | null;
  readonly settlement_date: LocalDate | null;
  /** As `trade_datetime`. */
  readonly settlement_datetime: string | null;
  readonly description: string | null;
}
