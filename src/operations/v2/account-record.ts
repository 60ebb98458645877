import { type Static, Type } from 'typebox';
import { entitlementsOf } from '../../features/access/account-records.ts';
import type { Caller } from '../../features/access/caller.ts';
import type { ApiKey } from '../../storage/api-keys.ts';
import { publicId } from '../../vocabulary/ids.ts';
import { FIXED_LIMITS } from '../../vocabulary/limits.ts';
import { PLAN_NAMES } from '../../vocabulary/plans.ts';
import { LEGACY_SCOPES, SCOPES } from '../../vocabulary/scopes.ts';
import { CURRENT_RELEASE } from '../../vocabulary/service-version.ts';
import { ACCOUNT_RECORD_STATUSES } from '../../vocabulary/states.ts';
import { type Operation, operation } from '../operation.ts';
import type { ResourceDocs } from './docs/docs.ts';
import { exampleId } from './docs/examples.ts';
import { idOf, livemode, nullable, oneOf, resource, text } from './schema/conventions.ts';

/** docs/resources.md#account-record. `key` is null for a caller without a key. */
export const accountRecordSchema = resource('account', {
  id: idOf('account_record'),
  object: Type.Literal('account'),
  name: nullable(text(FIXED_LIMITS.name_characters)),
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

/** The account record as its caller sees it (docs/resources.md#account-record). */
export function presentAccountRecord(caller: Caller, now: number): Static<typeof accountRecordSchema> {
  const { accountRecord } = caller;
  const { api_access, brokerage, limits } = entitlementsOf(accountRecord, now);
  return {
    id: publicId('account_record', accountRecord.id),
    object: 'account',
    name: accountRecord.name,
    plan: accountRecord.plan,
    status: accountRecord.status,
    entitlements: { api_access, brokerage },
    limits: {
      connections: limits.connections,
      accounts: limits.accounts,
      syncs: limits.syncs,
      destinations: limits.destinations,
    },
    timezone: accountRecord.timezone,
    api_version: CURRENT_RELEASE,
    scopes: SCOPES.filter((scope) => caller.scopes.has(scope)),
    key: caller.kind === 'api_key' ? presentKeyInUse(caller.key) : null,
    livemode: true,
  };
}

function presentKeyInUse(key: ApiKey): Static<typeof accountRecordSchema>['key'] {
  return {
    id: publicId('api_key', key.id),
    name: key.name,
    scopes: key.legacy ? [...LEGACY_SCOPES] : key.scopes,
    legacy: key.legacy,
  };
}

const accountExample: Static<typeof accountRecordSchema> = {
  id: exampleId('account_record'),
  object: 'account',
  name: 'Household',
  plan: 'professional',
  status: 'active',
  entitlements: { api_access: true, brokerage: true },
  limits: { connections: -1, accounts: -1, syncs: -1, destinations: -1 },
  timezone: 'Australia/Sydney',
  api_version: CURRENT_RELEASE,
  scopes: ['data:read', 'syncs:read', 'syncs:write'],
  key: {
    id: exampleId('api_key'),
    name: 'Budget script',
    scopes: ['data:read', 'syncs:write'],
    legacy: false,
  },
  livemode: true,
};

export const accountRecordDocs: Readonly<Record<string, ResourceDocs>> = {
  account: {
    description: 'The account record behind a key: its plan, what it may do, and the key in use.',
    fields: {
      name: 'What its owner calls it, shown to people who link a bank for it; null until it has one.',
      limits: 'How many of each the plan allows; -1 means unlimited.',
      timezone: 'IANA name of the zone.',
      api_version: 'The current release.',
      scopes: 'What the caller may do, in the order of the scope table; a `:write` brings its `:read`.',
      key: 'The key in use; null for a caller without one.',
    },
    example: accountExample,
  },
};

export const accountRecordOperations: readonly Operation[] = [
  operation({
    id: 'get_me',
    summary: 'The account record behind the key',
    method: 'GET',
    path: '/v2/me',
    scope: null,
    tier: 'cheap',
    response: accountRecordSchema,
    handle: async ({ caller, services }) => presentAccountRecord(caller, services.clock.now()),
  }),
  operation({
    id: 'update_me',
    summary: 'Name the account record',
    docs: {
      description:
        'People to whom you send the `url` of a link session see the name, with the masked e-mail address of the account record.',
      sent: { name: 'One line of text; null or empty: no name.' },
      body: { name: 'Household' },
    },
    method: 'POST',
    update: true,
    path: '/v2/me',
    scope: 'keys:write',
    tier: 'mutating',
    audit: 'account_record.updated',
    body: Type.Object({
      name: Type.Optional(nullable(Type.String({ maxLength: FIXED_LIMITS.name_characters }))),
    }),
    response: accountRecordSchema,
    handle: async ({ body: { name }, caller, services }) => {
      const change = name === undefined ? {} : { name };
      const accountRecord = await services.accountRecords.update(caller.accountRecord.id, change);
      return presentAccountRecord({ ...caller, accountRecord }, services.clock.now());
    },
  }),
];
