import { Type } from 'typebox';
import type { ConnectionWindow } from '../../../features/reads/account-reads.ts';
import { JsonText } from '../../operation-request.ts';
import { PageCache } from '../../page-cache.ts';
import { v1Endpoint } from '../endpoint.ts';
import { v1Id } from '../ids.ts';
import { presentTransaction } from '../presenters/transactions.ts';
import { V1Refusal } from '../refusal.ts';
import { MOST_ROWS, pagesFor, USUAL_ROWS } from '../row-paging.ts';
import { idText, momentText, paging, requiredId } from '../schemas/conventions.ts';
import { transactionsSchema } from '../schemas/transactions.ts';

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
    const text = pages.text(value.rows, presentTransaction, key, () => writePage(window, limit, offset));
    return { body: new JsonText(text), cache, truncated: value.truncated };
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
