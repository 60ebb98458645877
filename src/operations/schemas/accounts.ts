import { Type } from 'typebox';
import { ACCOUNT_TYPES } from '../../vocabulary/account-types.ts';
import { BALANCE_SIGNS, KNOWN_BALANCE_SIGNS } from '../../vocabulary/balance-signs.ts';
import { ACCOUNT_STATUSES } from '../../vocabulary/states.ts';
import { currency, idOf, livemode, nullable, oneOf, resource, timestamp } from './conventions.ts';
import { institutionSummarySchema, providerSchema } from './institutions.ts';

export const categorySchema = oneOf(['banking', 'brokerage']);

/** docs/resources.md#account. `account_item`, because `account` is the object name of the account record. */
export const accountSchema = resource('account_item', {
  id: idOf('account'),
  object: Type.Literal('account_item'),
  connection: idOf('connection'),
  provider: providerSchema,
  category: categorySchema,
  name: Type.String(),
  type: oneOf(ACCOUNT_TYPES),
  institution: institutionSummarySchema,
  account_number: nullable(Type.String()),
  currency,
  balance_sign: nullable(oneOf(BALANCE_SIGNS)),
  status: oneOf(ACCOUNT_STATUSES),
  last_updated_at: nullable(timestamp),
  livemode,
  created: timestamp,
  updated: timestamp,
});

export const updateAccountBody = Type.Object({ balance_sign: Type.Optional(oneOf(KNOWN_BALANCE_SIGNS)) });
