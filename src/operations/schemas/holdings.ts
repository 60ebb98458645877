import { Type } from 'typebox';
import { currency, idOf, livemode, moneySchema, nullable, providerIdOf, resource } from './conventions.ts';

const text = nullable(Type.String());
const money = nullable(moneySchema);
const decimal = Type.String({ pattern: '^-?\\d+(\\.\\d+)?$' });

/** docs/resources.md#holding: prices and values in the holding's currency. */
export const holdingSchema = resource('holding', {
  id: providerIdOf('holding'),
  object: Type.Literal('holding'),
  account: idOf('account'),
  symbol: text,
  name: text,
  exchange: text,
  currency,
  quantity: decimal,
  average_price: money,
  average_price_decimal: nullable(decimal),
  current_price: money,
  current_price_decimal: nullable(decimal),
  market_value: money,
  market_value_decimal: nullable(decimal),
  unrealized_pnl: money,
  unrealized_pnl_decimal: nullable(decimal),
  livemode,
});
