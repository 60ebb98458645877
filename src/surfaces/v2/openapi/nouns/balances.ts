import type { Static } from 'typebox';
import type { balanceSchema } from '../../schemas/balance.ts';
import { aud, EXAMPLE_UPDATED, exampleId } from '../example-values.ts';
import type { ResourceWords } from '../noun.ts';

const balance: Static<typeof balanceSchema> = {
  object: 'balance',
  account: exampleId('account'),
  current: aud(124_550),
  available: aud(119_550),
  currency: 'aud',
  observed_at: EXAMPLE_UPDATED,
  freshness: 'fresh',
  livemode: true,
};

export const balanceWords: ResourceWords = {
  description: 'The balance of one account. Negative when in debit.',
  fields: {
    observed_at: 'When the bank told it.',
    freshness: 'stale: told before the bank could have been asked again.',
  },
  example: balance,
};
