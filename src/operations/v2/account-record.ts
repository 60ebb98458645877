import { type Static, Type } from 'typebox';
import { type Entitlements, entitlementsOf } from '../../features/access/account-records.ts';
import type { Caller } from '../../features/access/caller.ts';
import type { KnownApiKey } from '../../storage/api-keys.ts';
import { EMAIL_MOST_CHARACTERS } from '../../vocabulary/email.ts';
import { publicId } from '../../vocabulary/ids.ts';
import { FIXED_LIMITS } from '../../vocabulary/limits.ts';
import { PLAN_NAMES } from '../../vocabulary/plans.ts';
import { LEGACY_SCOPES, SCOPES } from '../../vocabulary/scopes.ts';
import { CURRENT_RELEASE } from '../../vocabulary/service-version.ts';
import { ACCOUNT_RECORD_STATUSES } from '../../vocabulary/states.ts';
import { type Operation, operation } from '../operation.ts';
import { JsonText } from '../operation-request.ts';
import type { Services } from '../services.ts';
import type { ResourceDocs } from './docs/docs.ts';
import { exampleId } from './docs/examples.ts';
import { idOf, livemode, nullable, oneOf, resource, text } from './schema/conventions.ts';

/** docs/resources.md#account-record. `key` is null for a caller without a key, `session` for one that is not a person. */
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
  session: nullable(
    Type.Object(
      { account_email: text(EMAIL_MOST_CHARACTERS), account_records: Type.Integer() },
      { additionalProperties: false },
    ),
  ),
  livemode,
});

type ShownAccountRecord = Static<typeof accountRecordSchema>;

/** The account record as its caller sees it (docs/resources.md#account-record). */
async function presentAccountRecord(
  caller: Caller,
  { accountRecords, clock }: Pick<Services, 'accountRecords' | 'clock'>,
): Promise<ShownAccountRecord> {
  const entitlements = entitlementsOf(caller.accountRecord, clock.now());
  const session =
    caller.kind === 'session'
      ? {
          account_email: caller.accountRecord.email,
          account_records: await accountRecords.sharedBy(caller.user),
        }
      : null;
  return shownRecord(caller, entitlements, session);
}

interface KnownAnswer {
  readonly entitlements: Entitlements;
  readonly json: JsonText;
}

/** By caller: another object as soon as anything about the credential or the account record has changed. */
const answers = new WeakMap<Caller, KnownAnswer>();

/** The same as JSON, for callers without a session; null for others. Without a change it differs only once a trial has ended. */
function knownAccountRecord(caller: Caller, now: number): JsonText | null {
  if (caller.kind === 'session') return null;
  const entitlements = entitlementsOf(caller.accountRecord, now);
  const known = answers.get(caller);
  if (known !== undefined && sameEntitlements(known.entitlements, entitlements)) return known.json;
  const json = new JsonText(JSON.stringify(shownRecord(caller, entitlements, null)));
  answers.set(caller, { entitlements, json });
  return json;
}

function sameEntitlements(a: Entitlements, b: Entitlements): boolean {
  return (
    a.api_access === b.api_access &&
    a.brokerage === b.brokerage &&
    a.limits.connections === b.limits.connections &&
    a.limits.accounts === b.limits.accounts &&
    a.limits.syncs === b.limits.syncs &&
    a.limits.destinations === b.limits.destinations
  );
}

function shownRecord(
  caller: Caller,
  { api_access, brokerage, limits }: Entitlements,
  session: ShownAccountRecord['session'],
): ShownAccountRecord {
  const { accountRecord } = caller;
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
    session,
    livemode: true,
  };
}

function presentKeyInUse(key: KnownApiKey): Static<typeof accountRecordSchema>['key'] {
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
  session: null,
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
      session:
        'Of a person who is signed in: the e-mail address of the account record, and how many account records they are a member of. Null for keys and apps.',
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
    handle: async ({ caller, services }) => presentAccountRecord(caller, services),
    handleAtOnce: ({ caller, services }) => knownAccountRecord(caller, services.clock.now()),
  }),
  operation({
    id: 'update_me',
    summary: 'Change the name or the zone of the account record',
    docs: {
      description:
        'People to whom you send the `url` of a link session see the name, with the masked e-mail address of the account record.',
      sent: {
        name: 'One line of text; null or empty: no name.',
        timezone: 'IANA name of the zone in which days and months begin and end.',
      },
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
      timezone: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    }),
    response: accountRecordSchema,
    handle: async ({ body: { name, timezone }, caller, services }) => {
      const change = { ...(name !== undefined && { name }), ...(timezone !== undefined && { timezone }) };
      const accountRecord = await services.accountRecords.update(caller.accountRecord.id, change);
      return presentAccountRecord({ ...caller, accountRecord }, services);
    },
  }),
];
