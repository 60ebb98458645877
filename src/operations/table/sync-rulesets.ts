import { fieldId, idParams, pathId } from '../ids.ts';
import { none, type Operation, operation } from '../operation.ts';
import { presentSync } from '../presenters/syncs.ts';
import { syncRulesetsBody } from '../schemas/rulesets.ts';
import { syncSchema } from '../schemas/syncs.ts';

export const syncRulesetOperations: readonly Operation[] = [
  operation({
    id: 'attach_rulesets',
    summary: 'Attach a ruleset to a sync, replacing the previous one; an empty list detaches',
    method: 'POST',
    path: '/v2/syncs/:id/rulesets',
    scope: 'syncs:write',
    tier: 'mutating',
    params: idParams('sync'),
    query: none,
    body: syncRulesetsBody,
    includes: ['latest_run'],
    response: syncSchema,
    errors: ['resource_missing'],
    handle: async ({ params, body, caller, services, include }) => {
      const owner = caller.accountRecord.id;
      const id = pathId('sync', params.id);
      const rulesets = body.rulesets.map((text, at) => fieldId('ruleset', text, `rulesets[${at}]`));
      await services.rulesetAttachments.attach(owner, id, rulesets);
      const sync = await services.syncs.read(owner, id);
      return presentSync(sync, services.clock.now(), include.has('latest_run'));
    },
  }),
];
