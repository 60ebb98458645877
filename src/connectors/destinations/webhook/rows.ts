import { publicId } from '../../../vocabulary/ids.ts';
import { untaggedRowId } from '../../../vocabulary/provider-kinds.ts';
import type { DeliveryRow, TradeRow, TransactionRow } from '../delivery-rows.ts';

/** Text of a row, for DestinationWriter.encode. */
export function encodeRow(row: DeliveryRow): string {
  return row.kind === 'trade' ? encodeTrade(row) : encodeTransaction(row);
}

/**
 * One transaction as webhooks get it (docs/webhooks.md#the-body). `id` is the vendor's id of the row and `account_id`
 * the raw UUID; `transaction` and `account_item` are the ids of v2. Timestamps keep the bank's offset; if the bank
 * gives only a day, they are that day.
 */
export function encodeTransaction(row: Omit<TransactionRow, 'kind'>): string {
  const { transaction, account, replaces } = row;
  return JSON.stringify({
    id: untaggedRowId(transaction.id),
    object: 'transaction',
    transaction: transaction.id,
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
    account_item: publicId('account', account.id),
    local_date: transaction.date,
    transaction_date: transaction.datetime ?? transaction.date,
    post_date: transaction.post_datetime ?? transaction.post_date,
    merchant_name: transaction.merchant_name,
    category: transaction.primary_category ?? transaction.provider_category,
    custom_category: row.customCategory,
    merchant_category_code: transaction.merchant_category_code,
    memo: row.memo,
    tags: row.tags,
    replaces: replaces === null ? null : untaggedRowId(replaces),
    replaces_transaction: replaces,
  });
}

/**
 * One trade as webhooks get it: quantities, prices and fees are decimal strings, as the broker sent them. `id`,
 * `account_id` and timestamps are as in a transaction.
 */
function encodeTrade({ trade, account }: TradeRow): string {
  return JSON.stringify({
    id: untaggedRowId(trade.id),
    object: 'trade',
    trade: trade.id,
    symbol: trade.symbol,
    name: trade.name,
    type: trade.type,
    quantity: trade.quantity,
    price: trade.price?.decimal ?? null,
    currency: trade.currency,
    total_amount: trade.total_amount?.decimal ?? null,
    fees: trade.fees?.decimal ?? null,
    account_id: account.id,
    account_name: account.name,
    account: account.name,
    account_item: publicId('account', account.id),
    trade_date: trade.trade_datetime ?? trade.trade_date,
    settlement_date: trade.settlement_datetime ?? trade.settlement_date,
    description: trade.description,
  });
}
