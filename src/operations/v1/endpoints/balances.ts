import { Type } from 'typebox';
import { requireKept } from '../../../features/reads/account-category.ts';
import { ServiceError } from '../../../vocabulary/service-error.ts';
import { cacheOf, v1Endpoint } from '../endpoint.ts';
import { presentBalance } from '../presenters/balances.ts';
import { requiredAccountIds } from '../required-account-ids.ts';
import { balancesSchema } from '../schemas/balances.ts';
import { longIdListText } from '../schemas/conventions.ts';

export const balancesEndpoint = v1Endpoint({
  id: 'v1_list_balances',
  summary: 'Balances of banking accounts',
  path: '/v1/balances',
  scope: 'data:read',
  tier: 'mid',
  query: Type.Object({ accountIds: Type.Optional(longIdListText) }),
  response: balancesSchema,
  handle: async ({ accountIds }, { caller, services, signal }) => {
    const ids = requiredAccountIds(accountIds, services.limits.balance_accounts);
    const asked = { param: null, accept: requireKept };
    const listed = await services.balanceReads.list(caller.accountRecord.id, ids, signal(), asked);
    if (listed.every(({ failure }) => failure === 'not_supported')) throw new ServiceError('not_supported');
    const cache = cacheOf(listed.map(({ read }) => read));
    return { body: { data: listed.map(presentBalance) }, cache, truncated: false };
  },
});
