import { Type } from 'typebox';
import { ascending, sortedPage } from '../../features/reads/sorted-page.ts';
import type { Holding } from '../../vocabulary/holdings.ts';
import { publicId } from '../../vocabulary/ids.ts';
import { none, type Operation, operation } from '../operation.ts';
import { pagingQuery, Walk } from '../paging.ts';
import { presentHolding } from '../presenters/holdings.ts';
import { announceSetAside } from '../presenters/set-aside-rows.ts';
import { ACCOUNT_READ_ERRORS } from '../read-errors.ts';
import { idOf } from '../schemas/conventions.ts';
import { holdingSchema } from '../schemas/holdings.ts';
import { bankListOf } from '../schemas/set-aside-rows.ts';
import { walkedAccount, walkedPage, walkRows } from '../walk-rows.ts';

const path = '/v2/holdings';

export const holdingOperations: readonly Operation[] = [
  operation({
    id: 'list_holdings',
    summary: 'List what a brokerage account holds now',
    method: 'GET',
    path,
    scope: 'data:read',
    tier: 'heavy',
    planGate: 'brokerage_data',
    params: none,
    query: Type.Object({
      ...pagingQuery,
      account: Type.Optional(idOf('account', 'The account, acct_….')),
    }),
    body: none,
    response: bankListOf(holdingSchema),
    errors: [...ACCOUNT_READ_ERRORS, 'parameter_missing'],
    handle: async (request) => {
      const { caller, services, signal } = request;
      const walk = new Walk(request, 'list_holdings', path, request.query);
      const id = walkedAccount(walk);
      const asked = walkedPage(walk);
      const owner = caller.accountRecord.id;
      const { holdings, setAside } = await services.brokerageReads.holdings(owner, id, signal);
      announceSetAside(request, setAside);
      const shown = publicId('account', id);
      const placeOf = ({ symbol, id }: Holding) => ({ by: symbol ?? '', id });
      const page = sortedPage(holdings, { placeOf, compare: ascending }, asked);
      return walkRows(walk, { ...page, setAside }, { placeOf, carry: [] }, (row) =>
        presentHolding(row, shown),
      );
    },
  }),
];
