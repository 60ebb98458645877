import { Type } from 'typebox';
import { syncPermit } from '../brokerage-access.ts';
import { EXPORT_FORMATS, EXPORT_MEDIA_TYPES, exportAnswer } from '../export-answer.ts';
import { fieldId, idParams, pathId } from '../ids.ts';
import { none, type Operation, streamedOperation } from '../operation.ts';
import { limited } from '../schemas/bounds.ts';
import { dayWindow, idOf, oneOf } from '../schemas/conventions.ts';
import { readErrors } from './transactions.ts';

const settings = {
  format: Type.Optional(oneOf(EXPORT_FORMATS)),
  from: Type.Optional(dayWindow.from),
  to: Type.Optional(dayWindow.to),
  bom: Type.Optional(Type.Boolean()),
  defuse_formulas: Type.Optional(Type.Boolean()),
};

const mediaTypes = [...new Set(Object.values(EXPORT_MEDIA_TYPES))];

export const exportOperations: readonly Operation[] = [
  streamedOperation({
    id: 'export_sync',
    summary: "Export the rows of a sync's accounts as the sync delivers them",
    path: '/v2/syncs/:id/export',
    scope: 'syncs:read',
    alsoScopes: ['data:read'],
    tier: 'heavy',
    longest: 'export_seconds',
    audit: 'export.sync',
    params: idParams('sync'),
    query: Type.Object(settings),
    mediaTypes,
    errors: [...readErrors.filter((code) => code !== 'wrong_endpoint_for_category'), 'professional_required'],
    handle: async ({ params, query, caller, services }) => {
      const { accountRecord } = caller;
      const permit = syncPermit(caller, services.clock);
      const asked = { from: query.from ?? null, to: query.to ?? null };
      const rows = await services.exports.ofSync(accountRecord.id, pathId('sync', params.id), asked, permit);
      return exportAnswer(services, accountRecord.id, rows, query, { name: params.id, ruled: true });
    },
  }),
  streamedOperation({
    id: 'export_transactions',
    summary: 'Export transactions of banking accounts',
    path: '/v2/transactions/export',
    scope: 'data:read',
    alsoScopes: [],
    tier: 'heavy',
    longest: 'export_seconds',
    audit: 'export.transactions',
    params: none,
    query: Type.Object({
      ...settings,
      account: Type.Array(idOf('account', 'An account, acct_….'), {
        minItems: 1,
        ...limited({ maxItems: 'export_accounts' }),
      }),
      include_pending: Type.Optional(Type.Boolean({ default: false })),
    }),
    mediaTypes,
    errors: [...readErrors, 'parameter_missing'],
    handle: async ({ query, caller, services }) => {
      const accounts = query.account.map((text) => fieldId('account', text, 'account'));
      const owner = caller.accountRecord.id;
      const rows = await services.exports.ofAccounts(owner, accounts, {
        from: query.from ?? null,
        to: query.to ?? null,
        includePending: query.include_pending === true,
      });
      return exportAnswer(services, owner, rows, query, { name: 'transactions', ruled: false });
    },
  }),
];
