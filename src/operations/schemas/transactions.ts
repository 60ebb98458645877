import { Type } from 'typebox';
import { TRANSACTION_STATUSES } from '../../vocabulary/transactions.ts';
import { day, idOf, livemode, moneySchema, nullable, oneOf, providerIdOf, resource } from './conventions.ts';

const text = nullable(Type.String());

/** docs/resources.md#transaction. Moments are the provider's, with its offset. */
export const transactionSchema = resource('transaction', {
  id: providerIdOf('transaction'),
  object: Type.Literal('transaction'),
  account: idOf('account'),
  status: oneOf(TRANSACTION_STATUSES),
  date: nullable(day),
  datetime: text,
  post_date: nullable(day),
  post_datetime: text,
  value_date: nullable(day),
  value_datetime: text,
  description: Type.String(),
  reference: text,
  extended_description: text,
  amount: moneySchema,
  direction: oneOf(['credit', 'debit']),
  provider_category: text,
  category: text,
  merchant_name: text,
  merchant_category_code: text,
  livemode,
});
