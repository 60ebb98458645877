import type { Static } from 'typebox';
import type { Transaction } from '../../vocabulary/transactions.ts';
import type { transactionSchema } from '../schemas/transactions.ts';

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
