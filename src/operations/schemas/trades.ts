import { Type } from 'typebox';
import { TRADE_TYPES } from '../../vocabulary/holdings.ts';
import {
  currency,
  day,
  idOf,
  livemode,
  moneySchema,
  nullable,
  oneOf,
  providerIdOf,
  resource,
} from './conventions.ts';

const text = nullable(Type.String());
const money = nullable(moneySchema);
const decimal = nullable(Type.String({ pattern: '^-?\\d+(\\.\\d+)?$' }));

/** docs/resources.md#trade: amounts in the currency of the trade. */
export const tradeSchema = resource('trade', {
  id: providerIdOf('trade'),
  object: Type.Literal('trade'),
  account: idOf('account'),
  symbol: text,
  name: text,
  type: oneOf(TRADE_TYPES),
  quantity: decimal,
  price: money,
  price_decimal: decimal,
  currency,
  total_amount: money,
  total_amount_decimal: decimal,
  fees: money,
  fees_decimal: decimal,
  trade_date: day,
  settlement_date: nullable(day),
  description: text,
  livemode,
});
