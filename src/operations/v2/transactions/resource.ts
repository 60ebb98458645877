import { type Static, Type } from 'typebox';
import { TRANSACTION_STATUSES, type Transaction } from '../../../vocabulary/transactions.ts';
import type { ResourceDocs } from '../docs/docs.ts';
import { aud, exampleId } from '../docs/examples.ts';
import {
  day,
  idOf,
  livemode,
  moneySchema,
  nullable,
  oneOf,
  providerIdOf,
  resource,
} from '../schema/conventions.ts';

const text = nullable(Type.String());

/** docs/resources.md#transaction. Moments are the provider's, with its offset. */
export const transactionSchema = resource('transaction', {
  id: providerIdOf('transaction'),
  object: Type.Literal('transaction'),
  account: idOf('account'),
  status: oneOf(TRANSACTION_STATUSES),
  date: nullable(day),
  datetime: text,
  post_date: nullable(day),
  post_datetime: text,
  value_date: nullable(day),
  value_datetime: text,
  description: Type.String(),
  reference: text,
  extended_description: text,
  amount: moneySchema,
  direction: oneOf(['credit', 'debit']),
  provider_category: text,
  category: text,
  merchant_name: text,
  merchant_category_code: text,
  livemode,
});

/** `account` and `category` are public ids. */
export function presentTransaction(
  row: Transaction,
  account: string,
  category: string | null,
): Static<typeof transactionSchema> {
  return {
    id: row.id,
    object: 'transaction',
    account,
    status: row.status,
    date: row.date,
    datetime: row.datetime,
    post_date: row.post_date,
    post_datetime: row.post_datetime,
    value_date: row.value_date,
    value_datetime: row.value_datetime,
    description: row.description,
    reference: row.reference,
    extended_description: row.extended_description,
    amount: row.amount,
    direction: row.direction,
    provider_category: row.provider_category,
    category,
    merchant_name: row.merchant_name,
    merchant_category_code: row.merchant_category_code,
    livemode: true,
  };
}

interface Written {
  readonly account: string;
  readonly category: string | null;
  readonly json: string;
}

/** Rows in the gateway's cache are shown many times; each is written once, and forgotten together with its row. */
const written = new WeakMap<Transaction, Written>();

/** presentTransaction, as JSON. */
export function writeTransaction(row: Transaction, account: string, category: string | null): string {
  const known = written.get(row);
  if (known !== undefined && known.account === account && known.category === category) return known.json;
  const json = JSON.stringify(presentTransaction(row, account, category));
  written.set(row, { account, category, json });
  return json;
}

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

export const transactionsDocs: Readonly<Record<string, ResourceDocs>> = {
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
};
