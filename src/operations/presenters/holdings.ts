import type { Static } from 'typebox';
import type { Holding, Trade } from '../../vocabulary/holdings.ts';
import type { holdingSchema } from '../schemas/holdings.ts';
import type { tradeSchema } from '../schemas/trades.ts';

/** `account` is a public id. Amounts are shown in minor units (docs/api-conventions.md#money). */
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
    current_price: row.current_price?.money ?? null,
    market_value: row.market_value?.money ?? null,
    unrealized_pnl: row.unrealized_pnl?.money ?? null,
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
    currency: row.currency,
    total_amount: row.total_amount?.money ?? null,
    fees: row.fees?.money ?? null,
    trade_date: row.trade_date,
    settlement_date: row.settlement_date,
    description: row.description,
    livemode: true,
  };
}
