import type { Static } from 'typebox';
import type { Holding, Trade } from '../../vocabulary/holdings.ts';
import type { holdingSchema } from '../schemas/holdings.ts';
import type { tradeSchema } from '../schemas/trades.ts';

/** `account` is a public id. Amounts are shown in minor units, and beside them with all
 * their decimals (docs/api-conventions.md#money). */
export function presentHolding(row: Holding, account: string): Static<typeof holdingSchema> {
  return {
    id: row.id,
    object: 'holding',
    account,
    symbol: row.symbol,
    name: row.name,
    exchange: row.exchange,
    currency: row.currency,
    quantity: row.quantity,
    average_price: row.average_price?.money ?? null,
    average_price_decimal: row.average_price?.decimal ?? null,
    current_price: row.current_price?.money ?? null,
    current_price_decimal: row.current_price?.decimal ?? null,
    market_value: row.market_value?.money ?? null,
    market_value_decimal: row.market_value?.decimal ?? null,
    unrealized_pnl: row.unrealized_pnl?.money ?? null,
    unrealized_pnl_decimal: row.unrealized_pnl?.decimal ?? null,
    livemode: true,
  };
}

/** As `presentHolding`. */
export function presentTrade(row: Trade, account: string): Static<typeof tradeSchema> {
  return {
    id: row.id,
    object: 'trade',
    account,
    symbol: row.symbol,
    name: row.name,
    type: row.type,
    quantity: row.quantity,
    price: row.price?.money ?? null,
    price_decimal: row.price?.decimal ?? null,
    currency: row.currency,
    total_amount: row.total_amount?.money ?? null,
    total_amount_decimal: row.total_amount?.decimal ?? null,
    fees: row.fees?.money ?? null,
    fees_decimal: row.fees?.decimal ?? null,
    trade_date: row.trade_date,
    settlement_date: row.settlement_date,
    description: row.description,
    livemode: true,
  };
}
