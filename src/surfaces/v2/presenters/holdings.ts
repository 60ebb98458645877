import type { Static } from 'typebox';
import type { Holding, Trade } from '../../../vocabulary/holdings.ts';
import type { holdingSchema } from '../schemas/holdings.ts';
import type { tradeSchema } from '../schemas/trades.ts';

/** `account` is a public id. */
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
    average_price: row.average_price,
    current_price: row.current_price,
    market_value: row.market_value,
    unrealized_pnl: row.unrealized_pnl,
    livemode: true,
  };
}

/** `account` is a public id. */
export function presentTrade(row: Trade, account: string): Static<typeof tradeSchema> {
  return {
    id: row.id,
    object: 'trade',
    account,
    symbol: row.symbol,
    name: row.name,
    type: row.type,
    quantity: row.quantity,
    price: row.price,
    currency: row.currency,
    total_amount: row.total_amount,
    fees: row.fees,
    trade_date: row.trade_date,
    settlement_date: row.settlement_date,
    description: row.description,
    livemode: true,
  };
}
