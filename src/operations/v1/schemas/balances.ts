import { Type } from 'typebox';
import { currency, decimalOrNull, orNull, shape, uuid } from './conventions.ts';

export const balancesSchema = shape({
  data: Type.Array(
    shape({
      accountId: uuid,
      currentBalance: decimalOrNull,
      availableBalance: decimalOrNull,
      currency: orNull(currency),
    }),
  ),
});
