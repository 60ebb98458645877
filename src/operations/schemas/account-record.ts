import { Type } from 'typebox';
import { PLAN_NAMES } from '../../vocabulary/plans.ts';
import { SCOPES } from '../../vocabulary/scopes.ts';
import { ACCOUNT_RECORD_STATUSES } from '../../vocabulary/states.ts';
import { livemode, nullable, oneOf, resource } from './conventions.ts';

/** docs/resources.md#account-record. `key` is null for a caller without a key. */
export const accountRecordSchema = resource('account', {
  id: Type.String(),
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
      { id: Type.String(), name: Type.String(), scopes: Type.Array(oneOf(SCOPES)), legacy: Type.Boolean() },
      { additionalProperties: false },
    ),
  ),
  livemode,
});
