import { type Static, Type } from 'typebox';
import type { LinkedAccount } from '../../../features/linking/accounts.ts';
import { ACCOUNT_TYPES } from '../../../vocabulary/account-types.ts';
import { BALANCE_SIGNS, KNOWN_BALANCE_SIGNS } from '../../../vocabulary/balance-signs.ts';
import { publicId } from '../../../vocabulary/ids.ts';
import { FIXED_LIMITS } from '../../../vocabulary/limits.ts';
import { PROVIDER_CATEGORIES, PROVIDERS } from '../../../vocabulary/provider-kinds.ts';
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
  text,
  timestamp,
} from '../schema/conventions.ts';

export const providerCategory = oneOf(PROVIDER_CATEGORIES);

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
  nickname: nullable(Type.String()),
  in_totals: Type.Boolean(),
  balance_sign: nullable(oneOf(BALANCE_SIGNS)),
  duplicate_of: nullable(idOf('account')),
  status: oneOf(ACCOUNT_STATUSES),
  last_updated_at: nullable(timestamp),
  livemode,
  created: timestamp,
  updated: timestamp,
});

export const updateAccountBody = Type.Object({
  nickname: Type.Optional(nullable(text(FIXED_LIMITS.name_characters))),
  in_totals: Type.Optional(Type.Boolean()),
  balance_sign: Type.Optional(oneOf(KNOWN_BALANCE_SIGNS)),
});

/** @param publicUrl of the service, for the logo */
export function presentAccount(
  { account, connection, duplicateOf }: Pick<LinkedAccount, 'account' | 'connection' | 'duplicateOf'>,
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
    nickname: account.nickname,
    in_totals: account.in_totals,
    balance_sign: account.balance_sign,
    duplicate_of: duplicateOf === null ? null : publicId('account', duplicateOf),
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
  nickname: null,
  in_totals: true,
  balance_sign: null,
  duplicate_of: null,
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
      nickname: 'The owner’s own name for it, which the web application shows instead of the bank’s.',
      in_totals:
        'Whether the web application counts it in net worth, balances and spending. Nothing else depends on it.',
      balance_sign:
        'Loans and credit cards: what a positive figure of the bank means. unverified: one was seen, and nothing says which. null: it never was in question.',
      duplicate_of:
        'The account to count instead of this one: the same account at the bank, linked by another of your connections. Null for the one that counts.',
      status: 'unavailable: the provider no longer returns it.',
    },
    example: accountExample,
  },
};
