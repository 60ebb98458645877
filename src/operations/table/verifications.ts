import { syncPermit } from '../brokerage-access.ts';
import { idParams, pathId } from '../ids.ts';
import { none, type Operation, operation } from '../operation.ts';
import { presentVerification } from '../presenters/verifications.ts';
import { verificationSchema } from '../schemas/verifications.ts';

export const verificationOperations: readonly Operation[] = [
  operation({
    id: 'verify_sync',
    summary: 'Compare the destination of a sync with the bank, row by row; nothing is written',
    method: 'POST',
    path: '/v2/syncs/:id/verify',
    scope: 'syncs:read',
    alsoScopes: ['data:read'],
    tier: 'heavy',
    effect: 'reads',
    longest: 'verification_seconds',
    params: idParams('sync'),
    query: none,
    body: none,
    response: verificationSchema,
    errors: [
      'resource_missing',
      'sync_has_no_destination',
      'sync_already_running',
      'destination_disabled',
      'not_supported',
      'professional_required',
      'categories_seed_failed',
      'upstream_auth_failed',
      'upstream_bad_request',
      'upstream_failed',
      'upstream_rate_limited',
      'upstream_timeout',
      'upstream_unavailable',
    ],
    handle: async ({ params, caller, services, signal }) => {
      const { accountRecord } = caller;
      const id = pathId('sync', params.id);
      const permit = syncPermit(caller, services.clock);
      return presentVerification(await services.verifications.of(accountRecord.id, id, permit, signal), id);
    },
  }),
];
