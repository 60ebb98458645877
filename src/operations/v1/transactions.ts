import { type Static, Type } from 'typebox';
import type { RememberedAccount } from '../../features/reads/account-cache.ts';
import type { ConnectionWindow } from '../../features/reads/account-reads.ts';
import type { LocalDate } from '../../vocabulary/moments.ts';
import { untaggedRowId } from '../../vocabulary/provider-kinds.ts';
import { TRANSACTION_STATUSES, type Transaction } from '../../vocabulary/transactions.ts';
import { PageCache } from '../paging.ts';
import { oneOf } from '../v2/schema/conventions.ts';
import {
  decimal,
  idText,
  localDay,
  momentText,
  orNull,
  pagination,
  paging,
  plain,
  requiredId,
  shape,
  textOrNull,
  uuid,
} from './conventions.ts';
import { v1Endpoint } from './endpoint.ts';
import { V1Refusal } from './failures.ts';
import { v1Id } from './ids.ts';
import { MOST_ROWS, pagesFor, USUAL_ROWS } from './paging.ts';

const dayOrNull = orNull(localDay);

export const transactionSchema = shape({
  id: Type.String(),
  accountId: uuid,
  accountName: Type.String(),
  status: oneOf(TRANSACTION_STATUSES),
  date: localDay,
  datetime: textOrNull,
  postDate: dayOrNull,
  postDatetime: textOrNull,
  valueDate: dayOrNull,
  valueDatetime: textOrNull,
  description: Type.String(),
  amount: decimal,
  direction: oneOf(['credit', 'debit']),
  category: textOrNull,
  merchantName: textOrNull,
  merchantCategoryCode: textOrNull,
});

export const transactionsSchema = shape({ data: Type.Array(transactionSchema), pagination });

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

const pages = new PageCache();

export const transactionsEndpoint = v1Endpoint({
  id: 'v1_list_transactions',
  summary: 'Transactions of a banking account, newest first',
  path: '/v1/transactions',
  scope: 'data:read',
  tier: 'heavy',
  query: Type.Object({
    connectionId: requiredId,
    accountId: Type.Optional(idText),
    from: Type.Optional(momentText),
    to: Type.Optional(momentText),
    includePending: Type.Optional(Type.Boolean()),
    ...paging(MOST_ROWS),
  }),
  response: transactionsSchema,
  handle: async (query, { caller, services, signal }) => {
    const { accountId = '', limit = USUAL_ROWS, offset = 0 } = query;
    if (accountId === '') {
      throw new V1Refusal(
        'account_id_required',
        'Transactions of a whole connection are no longer served: name one account in accountId.',
      );
    }
    const owner = caller.accountRecord.id;
    const asked = {
      connection: v1Id('connection', query.connectionId, 'connection'),
      account: v1Id('account', accountId, 'account'),
      from: query.from ?? null,
      to: query.to ?? null,
      includePending: query.includePending === true,
      pages: pagesFor(offset + limit),
    };
    const window = await services.accountReads.windowOf(owner, asked, signal);
    const { value, cache } = window.read;
    const key = JSON.stringify([window.account.id, window.account.name, window.today, limit, offset]);
    const body = pages.json(value.rows, presentTransaction, key, () => writePage(window, limit, offset));
    return { body, cache, truncated: value.truncated };
  },
});

function writePage({ account, today, read }: ConnectionWindow, limit: number, offset: number): string {
  const { rows, truncated } = read.value;
  const data = rows
    .slice(offset, offset + limit)
    .map((row) => JSON.stringify(presentTransaction(row, account, today)));
  const total = rows.length;
  // Past the row ceiling an empty page ends the loop of a client that follows hasMore; the header still says why.
  const hasMore = offset + limit < total || (truncated && offset < total);
  return `{"data":[${data.join(',')}],"pagination":${JSON.stringify({ total, limit, offset, hasMore })}}`;
}
