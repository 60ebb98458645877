import type { Static } from 'typebox';
import type { transactionSchema } from '../schemas/transactions.ts';
import { aud, exampleId } from './example-values.ts';
import { transactionExportWords } from './exports.ts';
import type { Noun } from './noun.ts';

export const transactionExample: Static<typeof transactionSchema> = {
  id: 'txn_fk_8f21c0',
  object: 'transaction',
  account: exampleId('account'),
  status: 'posted',
  date: '2026-11-18',
  datetime: '2026-11-18T08:41:00+11:00',
  post_date: '2026-11-19',
  post_datetime: null,
  value_date: null,
  value_datetime: null,
  description: 'WATTLE CAFE SYDNEY',
  reference: null,
  extended_description: null,
  amount: aud(-450),
  direction: 'debit',
  provider_category: 'FOOD_AND_DRINK_COFFEE',
  category: exampleId('category', 2),
  merchant_name: 'Wattle Cafe',
  merchant_category_code: '5814',
  livemode: true,
};

export const transactionsNoun: Noun = {
  tag: 'transactions',
  description: 'Transactions of banking accounts, read live and never stored.',
  resources: {
    transaction: {
      description:
        'A row of an account. A pending row is provisional: it may vanish, and the posted row it becomes has another id.',
      fields: {
        id: 'txn_, a tag of the provider, and its id.',
        amount: 'Negative for a debit.',
        date: 'The day in the zone of the account.',
        datetime: "The provider's moment, with its offset.",
        provider_category: 'A code of the provider category list.',
        category: 'The category of your own that claims the code, cat_…, or null.',
      },
      example: transactionExample,
    },
  },
  operations: {
    ...transactionExportWords,
    list_transactions: {
      description:
        '`account` is required, unless `page` brings it along. Without dates: the last 30 days. Beyond 5,000 rows the answer carries `X-Service-Truncated: true`: narrow `from` and `to`.',
    },
    get_transaction: {
      description: 'Searches the window from `from` to `to`, the last 30 days without them.',
    },
  },
};
