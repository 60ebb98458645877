import { publicId } from '../../../vocabulary/ids.ts';
import { untaggedRowId } from '../../../vocabulary/provider-kinds.ts';
import type { DeliveryRow, TradeRow, TransactionRow } from '../delivery-rows.ts';

/**
 * The form of rows and events that webhooks are sent now. In form 1 `id`, `replaces` and `removed` were ids of v2, and
 * the members that carry those ids today did not exist. Until form 2 changed trades were in `updated`, and until form 3
 * the accounts of removed rows were not named. Chunks that were begun in a form are sent again in it.
 */
export const WEBHOOK_FORM = 4;

/** Text of a row, as DestinationWriter.encode. */
export function encodeRow(row: DeliveryRow, form: number): string {
  return row.kind === 'trade' ? encodeTrade(row) : encodeTransaction(row, form);
}

/**
 * One transaction as webhooks carry it (docs/webhooks.md#the-body). `id` is the id the vendor gave the row and
 * `account_id` the raw UUID; `transaction` and `account_item` are the ids of v2. Moments keep the bank's offset; where
 * the bank gives only a day, the day is in their place.
 */
export function encodeTransaction(row: Omit<TransactionRow, 'kind'>, form: number): string {
  const { transaction, account, replaces } = row;
  const tagged = form === 1;
  // What is undefined is left out, so that form 1 is written to the byte as it was.
  return JSON.stringify({
    id: shownId(transaction.id, form),
    object: 'transaction',
    transaction: tagged ? undefined : transaction.id,
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
    account_item: tagged ? undefined : publicId('account', account.id),
    local_date: transaction.date,
    transaction_date: transaction.datetime ?? transaction.date,
    post_date: transaction.post_datetime ?? transaction.post_date,
    merchant_name: transaction.merchant_name,
    category: transaction.primary_category ?? transaction.provider_category,
    custom_category: row.customCategory,
    merchant_category_code: transaction.merchant_category_code,
    memo: row.memo,
    tags: row.tags,
    replaces: replaces === null ? null : shownId(replaces, form),
    replaces_transaction: tagged ? undefined : replaces,
  });
}

/**
 * One trade as webhooks carry it: quantities, prices and fees are decimal strings, as the broker sent them. `id`,
 * `account_id` and moments are as in a transaction.
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

/** A row's id as `id`, `replaces` and `removed` carry it. */
export function shownId(id: string, form: number): string {
  return form === 1 ? id : untaggedRowId(id);
}
