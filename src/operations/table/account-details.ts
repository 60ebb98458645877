import { idParams, pathId } from '../ids.ts';
import { none, type Operation, operation } from '../operation.ts';
import { presentAccountDetails } from '../presenters/account-details.ts';
import { ACCOUNT_READ_ERRORS } from '../read-errors.ts';
import { accountDetailsSchema } from '../schemas/account-details.ts';

export const accountDetailsOperations: readonly Operation[] = [
  operation({
    id: 'get_account_details',
    summary: 'Read product, rates, fees, features and loan details of a banking account',
    method: 'GET',
    path: '/v2/accounts/:id/details',
    scope: 'data:read',
    tier: 'mid',
    params: idParams('account'),
    query: none,
    body: none,
    response: accountDetailsSchema,
    errors: ACCOUNT_READ_ERRORS,
    handle: async ({ params, caller, services, signal }) => {
      const id = pathId('account', params.id);
      const read = await services.accountReads.details(caller.accountRecord.id, id, signal);
      return presentAccountDetails(id, read.value);
    },
  }),
];
