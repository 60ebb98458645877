import { Type } from 'typebox';
import { tradePlace } from '../../features/reads/brokerage-reads.ts';
import { publicId } from '../../vocabulary/ids.ts';
import { none, type Operation, operation } from '../operation.ts';
import { pagingQuery, Walk } from '../paging.ts';
import { presentTrade } from '../presenters/holdings.ts';
import { announceSetAside } from '../presenters/set-aside-rows.ts';
import { ACCOUNT_READ_ERRORS } from '../read-errors.ts';
import { dayWindow, idOf } from '../schemas/conventions.ts';
import { bankListOf } from '../schemas/set-aside-rows.ts';
import { tradeSchema } from '../schemas/trades.ts';
import { carried, walkedAccount, walkedPage, walkRows } from '../walk-rows.ts';

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
      account: Type.Optional(idOf('account', 'The account, acct_….')),
      from: Type.Optional(dayWindow.from),
      to: Type.Optional(dayWindow.to),
    }),
    body: none,
    response: bankListOf(tradeSchema),
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
      const owner = caller.accountRecord.id;
      const page = await services.brokerageReads.trades(owner, query, walkedPage(walk), signal);
      announceSetAside(request, page.setAside);
      const shown = publicId('account', account);
      const list = { placeOf: tradePlace, carry: [page.from, page.to] };
      return walkRows(walk, page, list, (row) => presentTrade(row, shown));
    },
  }),
];
