import { Type } from 'typebox';
import { currency, decimal, decimalOrNull, shape, textOrNull, uuid } from './conventions.ts';

export const holdingsSchema = shape({
  data: Type.Array(
    shape({
      id: Type.String(),
      accountId: uuid,
      accountName: Type.String(),
      symbol: Type.String(),
      name: textOrNull,
      exchange: textOrNull,
      currency,
      quantity: decimal,
      averagePrice: decimalOrNull,
      currentPrice: decimalOrNull,
      marketValue: decimalOrNull,
      unrealizedPnl: decimalOrNull,
    }),
  ),
});
