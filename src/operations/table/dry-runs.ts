import { syncPermit } from '../brokerage-access.ts';
import { idParams, pathId } from '../ids.ts';
import { none, type Operation, operation } from '../operation.ts';
import { presentDryRun } from '../presenters/dry-runs.ts';
import { dryRunSchema } from '../schemas/dry-runs.ts';

export const dryRunOperations: readonly Operation[] = [
  operation({
    id: 'dry_run_sync',
    summary: 'Show what the next run of a sync would do; nothing is written',
    method: 'POST',
    path: '/v2/syncs/:id/dry_run',
    scope: 'syncs:read',
    alsoScopes: ['data:read'],
    tier: 'heavy',
    effect: 'reads',
    longest: 'dry_run_seconds',
    params: idParams('sync'),
    query: none,
    body: none,
    response: dryRunSchema,
    errors: [
      'resource_missing',
      'sync_has_no_destination',
      'sync_already_running',
      'professional_required',
      'categories_seed_failed',
    ],
    handle: async ({ params, caller, services, signal }) => {
      const { accountRecord } = caller;
      const id = pathId('sync', params.id);
      const permit = syncPermit(caller, services.clock);
      const dryRun = await services.dryRuns.of(accountRecord.id, id, permit, signal);
      const categoryOf = await services.categoryOf(accountRecord.id);
      return presentDryRun(dryRun, id, categoryOf);
    },
  }),
];
