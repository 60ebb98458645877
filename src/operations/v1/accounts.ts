import { Type } from 'typebox';
import type { LinkedAccount } from '../../features/linking/accounts.ts';
import { ACCOUNT_TYPES } from '../../vocabulary/account-types.ts';
import { oneOf } from '../v2/schema/conventions.ts';
import { currency, pagination, paging, shape, textOrNull, uuid } from './conventions.ts';
import { uncached, v1Endpoint } from './endpoint.ts';

export const accountsSchema = shape({
  data: Type.Array(
    shape({
      id: uuid,
      connectionId: uuid,
      provider: textOrNull,
      name: Type.String(),
      type: oneOf(ACCOUNT_TYPES),
      institutionName: textOrNull,
      accountNumber: textOrNull,
      currency,
    }),
  ),
  pagination,
});

export function presentAccount({ account, connection }: LinkedAccount) {
  return {
    id: account.id,
    connectionId: account.connection,
    provider: account.provider,
    name: account.name,
    type: account.type,
    institutionName: connection.institution_name,
    accountNumber: account.masked_number,
    currency: account.currency.toUpperCase(),
  };
}

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
