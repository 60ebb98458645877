import { Type } from 'typebox';
import { descending } from '../../features/reads/sorted-page.ts';
import type { Trade } from '../../vocabulary/holdings.ts';
import { publicId } from '../../vocabulary/ids.ts';
import { none, type Operation, operation } from '../operation.ts';
import { listOf, pagingQuery, Walk } from '../paging.ts';
import { presentTrade } from '../presenters/holdings.ts';
import { ACCOUNT_READ_ERRORS } from '../read-errors.ts';
import { tradeSchema } from '../schemas/trades.ts';
import { carried, walkedAccount, walkRows } from '../walk-rows.ts';

const path = '/v2/trades';

export const tradeOperations: readonly Operation[] = [
  operation({
    id: 'list_trades',
    summary: 'List trades of a brokerage account, newest first',
    method: 'GET',
    path,
    scope: 'data:read',
    tier: 'heavy',
    planGate: 'brokerage_data',
    params: none,
    query: Type.Object({
      ...pagingQuery,
      account: Type.Optional(Type.String({ maxLength: 300, description: 'The account, acct_….' })),
      from: Type.Optional(
        Type.String({ maxLength: 40, description: 'First day, YYYY-MM-DD in the zone of the account.' }),
      ),
      to: Type.Optional(
        Type.String({ maxLength: 40, description: 'Last day, included; today when absent.' }),
      ),
    }),
    body: none,
    response: listOf(tradeSchema),
    errors: [...ACCOUNT_READ_ERRORS, 'parameter_missing', 'invalid_date_range', 'from_too_old'],
    handle: async (request) => {
      const { caller, services, signal } = request;
      const walk = new Walk(request, 'list_trades', path, request.query);
      const account = walkedAccount(walk);
      const [from, to] = carried(walk);
      const query = {
        account,
        from: from ?? walk.filter('from') ?? null,
        to: to ?? walk.filter('to') ?? null,
        begun: from != null,
      };
      const list = await services.brokerageReads.trades(caller.accountRecord.id, query, signal);
      const shown = publicId('account', account);
      const placeOf = (row: Trade) => ({ by: row.trade_date, id: row.id });
      const rows = { rows: list.trades, placeOf, compare: descending, carry: [list.from, list.to] };
      return walkRows(walk, rows, (row) => presentTrade(row, shown));
    },
  }),
];
