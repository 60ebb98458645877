import { type TObject, Type } from 'typebox';
import type { PlacedRulePatch } from '../../features/rulesets/ruleset-rules.ts';
import { publicId } from '../../vocabulary/ids.ts';
import { idParams, pathId } from '../ids.ts';
import { none, type Operation, operation } from '../operation.ts';
import { listOf, pagingQuery, Walk } from '../paging.ts';
import { presentRule } from '../presenters/rules.ts';
import { deletedAnswer, deletedSchema, idOf } from '../schemas/conventions.ts';
import { createRuleBody, ruleSchema, updateRuleBody } from '../schemas/rules.ts';

const path = '/v2/rulesets/:id/rules';
const read = 'rules:read';
const write = 'rules:write';

const ruleParams: TObject<{ id: Type.TString; rule: Type.TString }> = Type.Object({
  id: idOf('ruleset'),
  rule: idOf('rule'),
});

export const rulesetRuleOperations: readonly Operation[] = [
  operation({
    id: 'list_rules',
    summary: 'List the rules of a ruleset in their order',
    method: 'GET',
    path,
    scope: read,
    tier: 'cheap',
    params: idParams('ruleset'),
    query: Type.Object(pagingQuery),
    body: none,
    response: listOf(ruleSchema),
    errors: ['resource_missing'],
    handle: async (request) => {
      const { params, caller, services } = request;
      const id = pathId('ruleset', params.id);
      const shown = `/v2/rulesets/${publicId('ruleset', id)}/rules`;
      const walk = new Walk(request, `list_rules ${id}`, shown, request.query);
      const at = walk.token === null ? null : Number(walk.token.position[0]);
      const backwards = walk.token?.direction === 'previous';
      const place = { after: backwards ? null : at, before: backwards ? at : null };
      const page = await services.rulesetRules.list(caller.accountRecord.id, id, {
        limit: walk.limit,
        ...place,
      });
      const first = page.items[0];
      const last = page.items.at(-1);
      return {
        object: 'list' as const,
        data: page.items.map(presentRule),
        next_page_url: page.hasMore && last ? walk.url('next', [String(last.position)]) : null,
        previous_page_url: page.hasPrevious && first ? walk.url('previous', [String(first.position)]) : null,
      };
    },
  }),
  operation({
    id: 'create_rule',
    summary: 'Add a rule to a ruleset',
    method: 'POST',
    path,
    scope: write,
    tier: 'mutating',
    params: idParams('ruleset'),
    query: none,
    body: createRuleBody,
    response: ruleSchema,
    errors: ['resource_missing', 'rule_limit_reached', 'rule_create_failed'],
    handle: async ({ params, body, caller, services }) => {
      const id = pathId('ruleset', params.id);
      return presentRule(await services.rulesetRules.create(caller.accountRecord.id, id, body));
    },
  }),
  operation({
    id: 'get_rule',
    summary: 'Read a rule',
    method: 'GET',
    path: `${path}/:rule`,
    scope: read,
    tier: 'cheap',
    params: ruleParams,
    query: none,
    body: none,
    response: ruleSchema,
    errors: ['resource_missing'],
    handle: async ({ params, caller, services }) => {
      const { ruleset, rule } = idsOf(params);
      return presentRule(await services.rulesetRules.read(caller.accountRecord.id, ruleset, rule));
    },
  }),
  operation({
    id: 'update_rule',
    summary: 'Update a rule or its position',
    method: 'POST',
    update: true,
    path: `${path}/:rule`,
    scope: write,
    tier: 'mutating',
    params: ruleParams,
    query: none,
    body: updateRuleBody,
    response: ruleSchema,
    errors: ['resource_missing', 'parameter_missing'],
    handle: async ({ params, body, caller, services }) => {
      const { ruleset, rule } = idsOf(params);
      const patch: PlacedRulePatch = body;
      return presentRule(await services.rulesetRules.update(caller.accountRecord.id, ruleset, rule, patch));
    },
  }),
  operation({
    id: 'delete_rule',
    summary: 'Delete a rule; those after it move up',
    method: 'DELETE',
    path: `${path}/:rule`,
    scope: write,
    tier: 'mutating',
    audit: 'rule.deleted',
    params: ruleParams,
    query: none,
    body: none,
    response: deletedSchema('rule', 'rule'),
    errors: ['resource_missing'],
    handle: async ({ params, caller, services }) => {
      const { ruleset, rule } = idsOf(params);
      await services.rulesetRules.delete(caller.accountRecord.id, ruleset, rule);
      return deletedAnswer(params.rule, 'rule');
    },
  }),
];

/** A rule of a ruleset that is not there is as missing as one that never was. */
function idsOf(params: { readonly id: string; readonly rule: string }) {
  return { ruleset: pathId('ruleset', params.id), rule: pathId('rule', params.rule) };
}
