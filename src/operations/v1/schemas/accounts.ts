import { Type } from 'typebox';
import { ACCOUNT_TYPES } from '../../../vocabulary/account-types.ts';
import { oneOf } from '../../v2/schema/conventions.ts';
import { currency, pagination, shape, textOrNull, uuid } from './conventions.ts';

export const accountsSchema = shape({
  data: Type.Array(
    shape({
      id: uuid,
      connectionId: uuid,
      provider: textOrNull,
      name: Type.String(),
      type: oneOf(ACCOUNT_TYPES),
      institutionName: textOrNull,
      accountNumber: textOrNull,
      currency,
    }),
  ),
  pagination,
});
