import type { Static } from 'typebox';
import type { balanceSchema } from '../schemas/balance.ts';
import { aud, EXAMPLE_UPDATED, exampleId } from './example-values.ts';
import type { Noun, ResourceWords } from './noun.ts';

const balance: Static<typeof balanceSchema> = {
  object: 'balance',
  account: exampleId('account'),
  current: aud(124_550),
  available: aud(119_550),
  currency: 'aud',
  observed_at: EXAMPLE_UPDATED,
  freshness: 'fresh',
  retry_after_seconds: null,
  unreadable: null,
  balance_sign: null,
  livemode: true,
};

export const balanceWords: ResourceWords = {
  description: 'The balance of one account. Negative when in debit, unless balance_sign is unverified.',
  fields: {
    observed_at: 'When the bank reported it.',
    freshness:
      'stale: reported before the bank could be asked again. unavailable: it could not be read; only in a list.',
    retry_after_seconds: 'When an unavailable balance may be read again, where that is known.',
    unreadable:
      'Which part of the balance is null because what the bank sent cannot be read, and why; null where everything could be.',
    balance_sign:
      'Loans and credit cards: what a positive figure of the bank means; owed is turned round here. unverified: the balance is as the bank sends it, because nothing says which.',
  },
  example: balance,
};

export const balancesNoun: Noun = {
  tag: 'balances',
  description: 'Balances of many accounts at once.',
  resources: {},
  operations: {
    list_balances: {
      description:
        'Name each account with a parameter of its own: `account=acct_…&account=acct_…`. The answer has each once, in the order asked, on one page. An account that cannot be read is `unavailable` and does not fail the others.',
    },
  },
};
