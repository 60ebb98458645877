import type { LocalDate } from './moments.ts';
import type { Money } from './money.ts';

/**
 * One position of a brokerage account as every door sees it, mapped from a provider's row and never stored. Prices and
 * values are in the holding's currency (SPEC, holding and trade).
 */
export interface Holding {
  /** The tagged v2 id, `hold_…`. */
  readonly id: string;
  readonly symbol: string | null;
  readonly name: string | null;
  readonly exchange: string | null;
  /** Lower-case ISO 4217 code. */
  readonly currency: string;
  /** A decimal, as sent: fractions of a share have no minor unit. */
  readonly quantity: string;
  readonly average_price: Money | null;
  readonly current_price: Money | null;
  readonly market_value: Money | null;
  readonly unrealized_pnl: Money | null;
}

/** One trade of a brokerage account (SPEC, holding and trade). */
export interface Trade {
  /** The tagged v2 id, `trd_…`. */
  readonly id: string;
  readonly symbol: string | null;
  readonly name: string | null;
  /** The provider's own word, such as `buy`. */
  readonly type: string | null;
  readonly quantity: string | null;
  readonly price: Money | null;
  readonly currency: string;
  readonly total_amount: Money | null;
  readonly fees: Money | null;
  /** Day of the trade in the account's zone. */
  readonly trade_date: LocalDate;
  readonly settlement_date: LocalDate | null;
  readonly description: string | null;
}
