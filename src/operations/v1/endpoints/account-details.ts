import { Type } from 'typebox';
import { cacheOf, v1Endpoint } from '../endpoint.ts';
import { presentAccountDetails } from '../presenters/account-details.ts';
import { requiredAccountIds } from '../required-account-ids.ts';
import { accountDetailsSchema } from '../schemas/account-details.ts';
import { longIdListText } from '../schemas/conventions.ts';

export const accountDetailsEndpoint = v1Endpoint({
  id: 'v1_list_account_details',
  summary: 'Product, rates, fees, features and loan details of banking accounts',
  path: '/v1/account-details',
  scope: 'data:read',
  tier: 'mid',
  query: Type.Object({ accountIds: Type.Optional(longIdListText) }),
  response: accountDetailsSchema,
  handle: async ({ accountIds }, { caller, services, signal }) => {
    const ids = requiredAccountIds(accountIds, services.limits.balance_accounts);
    const listed = await services.detailReads.list(caller.accountRecord.id, ids, signal());
    const data = listed.flatMap(({ account, read }) =>
      read === null ? [] : [presentAccountDetails(account, read.value)],
    );
    return { body: { data }, cache: cacheOf(listed.map(({ read }) => read)), truncated: false };
  },
});
