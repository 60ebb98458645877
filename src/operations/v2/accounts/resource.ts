import { type Static, Type } from 'typebox';
import type { Account } from '../../../storage/accounts.ts';
import type { Connection } from '../../../storage/connections.ts';
import { ACCOUNT_TYPES } from '../../../vocabulary/account-types.ts';
import { BALANCE_SIGNS, KNOWN_BALANCE_SIGNS } from '../../../vocabulary/balance-signs.ts';
import { publicId } from '../../../vocabulary/ids.ts';
import { PROVIDERS } from '../../../vocabulary/provider-kinds.ts';
import { ACCOUNT_STATUSES } from '../../../vocabulary/states.ts';
import type { ResourceDocs } from '../docs/docs.ts';
import {
  EXAMPLE_CREATED,
  EXAMPLE_INSTITUTION,
  EXAMPLE_PROVIDER,
  EXAMPLE_UPDATED,
  exampleId,
} from '../docs/examples.ts';
import { institutionSummarySchema, presentInstitutionSummary, providerSchema } from '../institutions.ts';
import {
  currency,
  idOf,
  livemode,
  moment,
  nullable,
  oneOf,
  resource,
  timestamp,
} from '../schema/conventions.ts';

export const providerCategory = oneOf(['banking', 'brokerage']);

/** docs/resources.md#account. `account_item`, because `account` is the object name of the account record. */
export const accountSchema = resource('account_item', {
  id: idOf('account'),
  object: Type.Literal('account_item'),
  connection: idOf('connection'),
  provider: providerSchema,
  category: providerCategory,
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

/** @param publicUrl of the service, for the logo */
export function presentAccount(
  account: Account,
  connection: Connection,
  publicUrl: string,
): Static<typeof accountSchema> {
  return {
    id: publicId('account', account.id),
    object: 'account_item',
    connection: publicId('connection', account.connection),
    provider: account.provider,
    category: PROVIDERS[account.provider].category,
    name: account.name,
    type: account.type,
    institution: presentInstitutionSummary(connection, publicUrl),
    account_number: account.masked_number,
    currency: account.currency,
    balance_sign: account.balance_sign,
    status: account.unavailable_since === null ? 'available' : 'unavailable',
    last_updated_at: moment(account.last_seen_at),
    livemode: true,
    created: moment(account.created),
    updated: moment(account.updated),
  };
}

export const accountExample: Static<typeof accountSchema> = {
  id: exampleId('account'),
  object: 'account_item',
  connection: exampleId('connection'),
  provider: EXAMPLE_PROVIDER,
  category: 'banking',
  name: 'Everyday',
  type: 'transaction',
  institution: EXAMPLE_INSTITUTION,
  account_number: 'xxxx4321',
  currency: 'aud',
  balance_sign: null,
  status: 'available',
  last_updated_at: EXAMPLE_UPDATED,
  livemode: true,
  created: EXAMPLE_CREATED,
  updated: EXAMPLE_UPDATED,
};

export const accountsDocs: Readonly<Record<string, ResourceDocs>> = {
  account_item: {
    description: 'A linked account.',
    fields: {
      account_number: 'Masked to its last four digits.',
      currency: 'ISO 4217, lower case.',
      balance_sign:
        'Loans and credit cards: what a positive figure of the bank means. unverified: one was seen, and nothing says which. null: it never was in question.',
      status: 'unavailable: the provider no longer returns it.',
    },
    example: accountExample,
  },
};
