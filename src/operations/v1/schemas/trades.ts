import { Type } from 'typebox';
import { TRADE_TYPES } from '../../../vocabulary/holdings.ts';
import { oneOf } from '../../v2/schema/conventions.ts';
import {
  currency,
  decimal,
  decimalOrNull,
  orNull,
  paginationOf,
  shape,
  textOrNull,
  uuid,
} from './conventions.ts';

/** A day, or a moment where the broker names one. */
const dayOrMoment = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}(T.+)?$' });

export const tradesSchema = shape({
  data: Type.Array(
    shape({
      id: Type.String({ pattern: '^snap_' }),
      accountId: uuid,
      accountName: Type.String(),
      symbol: Type.String(),
      name: textOrNull,
      type: oneOf(TRADE_TYPES),
      quantity: decimal,
      price: decimal,
      currency,
      totalAmount: decimal,
      fees: decimalOrNull,
      tradeDate: dayOrMoment,
      settlementDate: orNull(dayOrMoment),
      description: textOrNull,
    }),
  ),
  pagination: paginationOf(orNull(Type.Integer())),
});
