import type { DeliveryRow } from '../destination-contract.ts';

/**
 * One transaction as webhooks carry it (SPEC, Events 5; service facts 17.5). `id` is the id v2 shows, the account is
 * the raw UUID. Moments keep the bank's offset; where the bank gives only a day, the day stands in their place.
 */
export function encodeTransaction(row: DeliveryRow): string {
  const { transaction, account } = row;
  return JSON.stringify({
    id: transaction.id,
    object: 'transaction',
    amount: transaction.amount.amount,
    currency: transaction.amount.currency,
    status: transaction.status,
    description: transaction.description,
    reference: transaction.reference,
    direction: transaction.direction,
    class: transaction.class,
    account_id: account.id,
    account_name: account.name,
    account: account.name,
    local_date: transaction.date,
    transaction_date: transaction.datetime ?? transaction.date,
    post_date: transaction.post_datetime ?? transaction.post_date,
    merchant_name: transaction.merchant_name,
    category: transaction.primary_category ?? transaction.provider_category,
    custom_category: row.customCategory,
    merchant_category_code: transaction.merchant_category_code,
    memo: row.memo,
    tags: row.tags,
    replaces: row.replaces,
  });
}
