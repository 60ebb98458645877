import { Type } from 'typebox';
import { type Operation, operation } from '../../operation.ts';
import { ListRequest, listOf, pagingQuery } from '../../paging.ts';
import { fieldId, idOf, idParams, pathId } from '../schema/conventions.ts';
import { accountExample, accountSchema, presentAccount, updateAccountBody } from './resource.ts';

const path = '/v2/accounts';
const scope = 'data:read';

export const accountOperations: readonly Operation[] = [
  operation({
    id: 'list_accounts',
    summary: 'List linked accounts',
    method: 'GET',
    path,
    scope,
    tier: 'cheap',
    query: Type.Object({ ...pagingQuery, connection: Type.Optional(idOf('connection')) }),
    response: listOf(accountSchema),
    errors: ['resource_missing'],
    handle: async (request) => {
      const { caller, services } = request;
      const paging = new ListRequest(request, 'list_accounts', path, request.query);
      const named = paging.filter('connection');
      const connection = named === undefined ? null : fieldId('connection', named, 'connection');
      const page = await services.accounts.list(caller.accountRecord.id, connection, paging.pageRequest);
      return paging.envelope(page, (linked) => presentAccount(linked, services.publicUrl));
    },
  }),
  operation({
    id: 'get_account',
    summary: 'Read a linked account',
    method: 'GET',
    path: `${path}/:id`,
    scope,
    tier: 'cheap',
    params: idParams('account'),
    response: accountSchema,
    errors: ['resource_missing'],
    handle: async ({ params, caller, services }) => {
      const linked = await services.accounts.read(caller.accountRecord.id, pathId('account', params.id));
      return presentAccount(linked, services.publicUrl);
    },
  }),
  operation({
    id: 'update_account',
    summary: "Name an account, leave it out of totals, or say what a loan's or card's positive balance means",
    docs: {
      description: 'Omitted fields are unchanged. All of it can be changed again.',
      sent: {
        nickname: 'Null takes it away.',
        in_totals: 'Whether the web application counts it in net worth, balances and spending.',
        balance_sign:
          'For loans and credit cards only. Balances are negative if money is owed, so with `owed` the bank’s figure is negated, here and at every destination.',
      },
      body: { balance_sign: 'owed' },
      answer: { ...accountExample, name: 'Home Loan', type: 'loan', balance_sign: 'owed' },
    },
    method: 'POST',
    update: true,
    path: `${path}/:id`,
    scope: 'connections:write',
    tier: 'mutating',
    params: idParams('account'),
    body: updateAccountBody,
    response: accountSchema,
    errors: ['resource_missing'],
    handle: async ({ params, body, caller, services }) => {
      const id = pathId('account', params.id);
      const linked = await services.accounts.update(caller.accountRecord.id, id, body);
      return presentAccount(linked, services.publicUrl);
    },
  }),
];
