import { Type } from 'typebox';
import { requireKept } from '../../features/reads/account-category.ts';
import type { ListedBalance } from '../../features/reads/balance-reads.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import { currency, decimalOrNull, longIdListText, moneyDecimal, orNull, shape, uuid } from './conventions.ts';
import { cacheOf, v1Endpoint } from './endpoint.ts';
import { requiredAccountIds } from './required-account-ids.ts';

export const balancesSchema = shape({
  data: Type.Array(
    shape({
      accountId: uuid,
      currentBalance: decimalOrNull,
      availableBalance: decimalOrNull,
      currency: orNull(currency),
    }),
  ),
});

/** Without amounts where the account could not be read. */
export function presentBalance({ account, read }: ListedBalance) {
  const value = read?.value ?? null;
  const currency = value?.currency ?? account.currency;
  return {
    accountId: account.id,
    currentBalance: moneyDecimal(value?.currentDecimal ?? null, value?.current ?? null),
    availableBalance: moneyDecimal(value?.availableDecimal ?? null, value?.available ?? null),
    currency: currency.toUpperCase(),
  };
}

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
