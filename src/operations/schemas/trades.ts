import { Type } from 'typebox';
import { TRADE_TYPES } from '../../vocabulary/holdings.ts';
import { day, livemode, moneySchema, nullable, oneOf, resource } from './conventions.ts';

const text = nullable(Type.String());
const money = nullable(moneySchema);

/** docs/resources.md#trade: amounts in the currency of the trade. */
export const tradeSchema = resource('trade', {
  id: Type.String(),
  object: Type.Literal('trade'),
  account: Type.String(),
  symbol: text,
  name: text,
  type: oneOf(TRADE_TYPES),
  quantity: nullable(Type.String({ pattern: '^-?\\d+(\\.\\d+)?$' })),
  price: money,
  currency: Type.String({ pattern: '^[a-z]{3}$' }),
  total_amount: money,
  fees: money,
  trade_date: day,
  settlement_date: nullable(day),
  description: text,
  livemode,
});
