import type { Static } from 'typebox';
import type { RememberedAccount } from '../../../features/reads/account-cache.ts';
import type { LocalDate } from '../../../vocabulary/moments.ts';
import { untaggedRowId } from '../../../vocabulary/providers.ts';
import type { Transaction } from '../../../vocabulary/transactions.ts';
import type { transactionSchema } from '../schemas/transactions.ts';
import { plain } from './decimals.ts';

/** `today`: the day of a row that names none, which is pending: v1 promises a day. */
export function presentTransaction(
  row: Transaction,
  account: Pick<RememberedAccount, 'id' | 'name'>,
  today: LocalDate,
): Static<typeof transactionSchema> {
  return {
    id: untaggedRowId(row.id),
    accountId: account.id,
    accountName: account.name,
    status: row.status,
    date: row.date ?? row.post_date ?? today,
    datetime: row.datetime,
    postDate: row.post_date,
    postDatetime: row.post_datetime,
    valueDate: row.value_date,
    valueDatetime: row.value_datetime,
    description: row.description,
    amount: plain(row.amount_decimal),
    direction: row.direction,
    category: row.primary_category,
    merchantName: row.merchant_name,
    merchantCategoryCode: row.merchant_category_code,
  };
}
