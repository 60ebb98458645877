import type { Static } from 'typebox';
import { CURRENT_RELEASE } from '../../vocabulary/service-version.ts';
import type { accountRecordSchema } from '../schemas/account-record.ts';
import { exampleId } from './example-values.ts';
import type { Noun } from './noun.ts';

const account: Static<typeof accountRecordSchema> = {
  id: exampleId('account_record'),
  object: 'account',
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

export const accountRecordNoun: Noun = {
  tag: 'me',
  description: 'Who the key belongs to, and what the plan allows.',
  resources: {
    account: {
      description: 'The account record behind a key: its plan, what it may do, and the key in use.',
      fields: {
        limits: 'How many of each the plan allows; -1 means unlimited.',
        timezone: 'IANA name of the zone.',
        api_version: 'The current release.',
        scopes: 'What the caller may do, in the order of the scope table; a `:write` brings its `:read`.',
        key: 'The key in use; null for a caller without one.',
      },
      example: account,
    },
  },
  operations: {},
};
