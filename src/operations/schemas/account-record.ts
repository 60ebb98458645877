import { Type } from 'typebox';
import { FIXED_LIMITS } from '../../vocabulary/limits.ts';
import { PLAN_NAMES } from '../../vocabulary/plans.ts';
import { SCOPES } from '../../vocabulary/scopes.ts';
import { ACCOUNT_RECORD_STATUSES } from '../../vocabulary/states.ts';
import { idOf, livemode, nullable, oneOf, resource, text } from './conventions.ts';

/** docs/resources.md#account-record. `key` is null for a caller without a key. */
export const accountRecordSchema = resource('account', {
  id: idOf('account_record'),
  object: Type.Literal('account'),
  plan: oneOf(PLAN_NAMES),
  status: oneOf(ACCOUNT_RECORD_STATUSES),
  entitlements: Type.Object(
    { api_access: Type.Boolean(), brokerage: Type.Boolean() },
    { additionalProperties: false },
  ),
  limits: Type.Object(
    {
      connections: Type.Integer(),
      accounts: Type.Integer(),
      syncs: Type.Integer(),
      destinations: Type.Integer(),
    },
    { additionalProperties: false },
  ),
  timezone: Type.String(),
  api_version: Type.String(),
  scopes: Type.Array(oneOf(SCOPES)),
  key: nullable(
    Type.Object(
      {
        id: idOf('api_key'),
        name: text(FIXED_LIMITS.key_name_characters),
        scopes: Type.Array(oneOf(SCOPES)),
        legacy: Type.Boolean(),
      },
      { additionalProperties: false },
    ),
  ),
  livemode,
});
