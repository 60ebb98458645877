import { Type } from 'typebox';
import { ACCOUNT_TYPES } from '../../vocabulary/account-types.ts';
import { ACCOUNT_STATUSES } from '../../vocabulary/states.ts';
import { livemode, nullable, oneOf, resource, timestamp } from './conventions.ts';
import { institutionSummarySchema, providerSchema } from './institutions.ts';

export const categorySchema = oneOf(['banking', 'brokerage']);

/** docs/resources.md#account. `account_item`, because `account` is the object name of the account record. */
export const accountSchema = resource('account_item', {
  id: Type.String(),
  object: Type.Literal('account_item'),
  connection: Type.String(),
  provider: providerSchema,
  category: categorySchema,
  name: Type.String(),
  type: oneOf(ACCOUNT_TYPES),
  institution: institutionSummarySchema,
  account_number: nullable(Type.String()),
  currency: Type.String({ pattern: '^[a-z]{3}$' }),
  status: oneOf(ACCOUNT_STATUSES),
  last_updated_at: nullable(timestamp),
  livemode,
  created: timestamp,
  updated: timestamp,
});
