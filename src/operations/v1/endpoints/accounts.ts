import { Type } from 'typebox';
import { uncached, v1Endpoint } from '../endpoint.ts';
import { presentAccount } from '../presenters/accounts.ts';
import { accountsSchema } from '../schemas/accounts.ts';
import { paging } from '../schemas/conventions.ts';

const MOST = 200;
const USUAL = 50;

export const accountsEndpoint = v1Endpoint({
  id: 'v1_list_accounts',
  summary: 'Accounts, by name',
  path: '/v1/accounts',
  scope: 'connections:read',
  orScopes: ['data:read'],
  tier: 'cheap',
  query: Type.Object(paging(MOST)),
  response: accountsSchema,
  handle: async ({ limit = USUAL, offset = 0 }, { caller, services }) => {
    const { items, total } = await services.accounts.byName(caller.accountRecord.id, { limit, offset });
    const hasMore = offset + items.length < total;
    return uncached({ data: items.map(presentAccount), pagination: { total, limit, offset, hasMore } });
  },
});
