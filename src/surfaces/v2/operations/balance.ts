import { idParams, pathId } from '../ids.ts';
import { none, type Operation, operation } from '../operation.ts';
import { presentBalance } from '../presenters/balance.ts';
import { balanceSchema } from '../schemas/balance.ts';

const MINUTE_MS = 60_000;

export const balanceOperations: readonly Operation[] = [
  operation({
    id: 'get_account_balance',
    summary: 'Read the balance of a banking account',
    method: 'GET',
    path: '/v2/accounts/:id/balance',
    scope: 'data:read',
    tier: 'mid',
    params: idParams,
    query: none,
    body: none,
    response: balanceSchema,
    errors: [
      'resource_missing',
      'wrong_endpoint_for_category',
      'not_supported',
      'account_unavailable',
      'balance_refresh_limited',
      'provider_wait',
      'upstream_rate_limited',
      'upstream_bad_request',
      'upstream_failed',
      'upstream_auth_failed',
      'upstream_unavailable',
      'upstream_timeout',
    ],
    handle: async ({ params, caller, services, signal }) => {
      const id = pathId('account', params.id);
      const read = await services.accountReads.balance(caller.accountRecord.id, id, signal);
      const staleMs = services.limits.live_balance_minutes * MINUTE_MS;
      return presentBalance(id, read, { now: services.clock.now(), staleMs });
    },
  }),
];
