import { none, type Operation, operation } from '../operation.ts';
import { presentAccountRecord } from '../presenters/account-record.ts';
import { accountRecordSchema } from '../schemas/account-record.ts';

export const accountRecordOperations: readonly Operation[] = [
  operation({
    id: 'get_me',
    summary: 'The account record behind the key',
    method: 'GET',
    path: '/v2/me',
    scope: null,
    tier: 'cheap',
    params: none,
    query: none,
    body: none,
    response: accountRecordSchema,
    handle: async ({ caller, services }) => presentAccountRecord(caller, services.clock.now()),
  }),
];
