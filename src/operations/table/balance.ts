import { Type } from 'typebox';
import { fieldId, idParams, pathId } from '../ids.ts';
import { none, type Operation, operation } from '../operation.ts';
import { listOf } from '../paging.ts';
import { presentBalance, presentListedBalance } from '../presenters/balance.ts';
import { ACCOUNT_READ_ERRORS } from '../read-errors.ts';
import { balanceSchema } from '../schemas/balance.ts';
import { limited } from '../schemas/bounds.ts';
import { idOf } from '../schemas/conventions.ts';
import { repeated } from '../schemas/repeated.ts';

const MINUTE_MS = 60_000;

export const balanceOperations: readonly Operation[] = [
  operation({
    id: 'list_balances',
    summary: 'Read the balances of many banking accounts in one answer',
    method: 'GET',
    path: '/v2/balances',
    scope: 'data:read',
    tier: 'mid',
    params: none,
    query: Type.Object({
      account: repeated(idOf('account', 'An account, acct_….'), {
        minItems: 1,
        ...limited({ maxItems: 'balance_accounts' }),
      }),
    }),
    body: none,
    response: listOf(balanceSchema),
    errors: ['resource_missing', 'wrong_endpoint_for_category'],
    handle: async ({ query, caller, services, signal }) => {
      const ids = query.account.map((text) => fieldId('account', text, 'account'));
      const listed = await services.balanceReads.list(caller.accountRecord.id, ids, signal);
      const at = { now: services.clock.now(), staleMs: services.limits.live_balance_minutes * MINUTE_MS };
      return {
        object: 'list' as const,
        data: listed.map((balance) => presentListedBalance(balance, at)),
        next_page_url: null,
        previous_page_url: null,
      };
    },
  }),
  operation({
    id: 'get_account_balance',
    summary: 'Read the balance of a banking account',
    method: 'GET',
    path: '/v2/accounts/:id/balance',
    scope: 'data:read',
    tier: 'mid',
    params: idParams('account'),
    query: none,
    body: none,
    response: balanceSchema,
    errors: [...ACCOUNT_READ_ERRORS, 'balance_refresh_limited'],
    handle: async ({ params, caller, services, signal }) => {
      const id = pathId('account', params.id);
      const read = await services.accountReads.balance(caller.accountRecord.id, id, signal);
      const staleMs = services.limits.live_balance_minutes * MINUTE_MS;
      return presentBalance(id, read, { now: services.clock.now(), staleMs });
    },
  }),
];
