import type { Static } from 'typebox';
import type { accountSchema } from '../schemas/accounts.ts';
import { accountDetailsWords } from './account-details.ts';
import { balanceWords } from './balances.ts';
import {
  EXAMPLE_CREATED,
  EXAMPLE_INSTITUTION,
  EXAMPLE_PROVIDER,
  EXAMPLE_UPDATED,
  exampleId,
} from './example-values.ts';
import type { Noun } from './noun.ts';

const account: Static<typeof accountSchema> = {
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

export const accountsNoun: Noun = {
  tag: 'accounts',
  description: 'Linked bank and brokerage accounts, their balances and their terms.',
  resources: {
    account_item: {
      description: 'A linked account.',
      fields: {
        account_number: 'Masked to its last four digits.',
        currency: 'ISO 4217, lower case.',
        balance_sign:
          'Loans and credit cards: what a positive figure of the bank means. unverified: one was seen, and nothing says which. null: it never was in question.',
        status: 'unavailable: the provider no longer returns it.',
      },
      example: account,
    },
    account_details: accountDetailsWords,
    balance: balanceWords,
  },
  operations: {
    update_account: {
      description:
        'For loans and credit cards only. Balances are negative where money is owed, so with `owed` what the bank shows is turned round, here and at every destination. It can be changed again.',
      body: { balance_sign: 'owed' },
      answer: { ...account, name: 'Home Loan', type: 'loan', balance_sign: 'owed' },
    },
    get_account_balance: { description: 'Read live through a short cache; banking accounts only.' },
    get_account_details: { description: 'As the bank reports them; Australian banking accounts only.' },
  },
};
