import { Type } from 'typebox';
import { TRANSACTION_STATUSES } from '../../../vocabulary/transactions.ts';
import { oneOf } from '../../v2/schema/conventions.ts';
import { decimal, localDay, orNull, pagination, shape, textOrNull, uuid } from './conventions.ts';

const dayOrNull = orNull(localDay);

export const transactionSchema = shape({
  id: Type.String(),
  accountId: uuid,
  accountName: Type.String(),
  status: oneOf(TRANSACTION_STATUSES),
  date: localDay,
  datetime: textOrNull,
  postDate: dayOrNull,
  postDatetime: textOrNull,
  valueDate: dayOrNull,
  valueDatetime: textOrNull,
  description: Type.String(),
  amount: decimal,
  direction: oneOf(['credit', 'debit']),
  category: textOrNull,
  merchantName: textOrNull,
  merchantCategoryCode: textOrNull,
});

export const transactionsSchema = shape({ data: Type.Array(transactionSchema), pagination });
