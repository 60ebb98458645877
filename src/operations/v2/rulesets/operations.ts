import { Type } from 'typebox';
import { type Operation, operation } from '../../operation.ts';
import { ListRequest, listOf, pagingQuery } from '../../paging.ts';
import { exampleId } from '../docs/examples.ts';
import { deletedAnswer, deletedSchema, fieldId, idParams, pathId } from '../schema/conventions.ts';
import { readErrors } from '../transactions/operations.ts';
import {
  createRulesetBody,
  freshExample,
  PREVIEW_ROWS,
  presentPreview,
  presentRuleset,
  previewBody,
  reorderRulesBody,
  rulesetExample,
  rulesetPreviewSchema,
  rulesetSchema,
  updateRulesetBody,
} from './resource.ts';
import { ruleExample } from './rules.ts';

const path = '/v2/rulesets';
const read = 'rules:read';
const write = 'rules:write';
const includes = ['rules'];

export const rulesetOperations: readonly Operation[] = [
  operation({
    id: 'list_rulesets',
    summary: 'List rulesets',
    method: 'GET',
    path,
    scope: read,
    tier: 'cheap',
    query: Type.Object(pagingQuery),
    includes,
    response: listOf(rulesetSchema),

    handle: async (request) => {
      const paging = new ListRequest(request, 'list_rulesets', path, request.query);
      const { caller, services, include } = request;
      const page = await services.rulesets.list(
        caller.accountRecord.id,
        paging.pageRequest,
        include.has('rules'),
      );
      return paging.envelope(page, presentRuleset);
    },
  }),
  operation({
    id: 'create_ruleset',
    summary: 'Create a ruleset without rules',
    docs: {
      body: { name: rulesetExample.name, description: rulesetExample.description },
      answer: freshExample,
    },
    method: 'POST',
    path,
    scope: write,
    tier: 'mutating',
    body: createRulesetBody,
    includes,
    response: rulesetSchema,
    errors: ['ruleset_create_failed'],
    handle: async ({ body, caller, services, include }) => {
      const { name, description = null, enabled = true, metadata = null } = body;
      const input = { name, description, enabled, metadata };
      return presentRuleset(
        await services.rulesets.create(caller.accountRecord.id, input, include.has('rules')),
      );
    },
  }),
  operation({
    id: 'get_ruleset',
    summary: 'Read a ruleset',
    method: 'GET',
    path: `${path}/:id`,
    scope: read,
    tier: 'cheap',
    params: idParams('ruleset'),
    includes,
    response: rulesetSchema,
    errors: ['resource_missing'],
    handle: async ({ params, caller, services, include }) => {
      const id = pathId('ruleset', params.id);
      return presentRuleset(await services.rulesets.read(caller.accountRecord.id, id, include.has('rules')));
    },
  }),
  operation({
    id: 'update_ruleset',
    summary: "Change a ruleset's name, description, metadata, or whether it is used",
    docs: {
      description: 'Omitted fields are unchanged. A metadata key set to null is removed.',
      body: { enabled: false },
    },
    method: 'POST',
    update: true,
    path: `${path}/:id`,
    scope: write,
    tier: 'mutating',
    params: idParams('ruleset'),
    body: updateRulesetBody,
    includes,
    response: rulesetSchema,
    errors: ['resource_missing'],
    handle: async ({ params, body, caller, services, include }) => {
      const id = pathId('ruleset', params.id);
      return presentRuleset(
        await services.rulesets.update(caller.accountRecord.id, id, body, include.has('rules')),
      );
    },
  }),
  operation({
    id: 'delete_ruleset',
    summary: 'Delete a ruleset with its rules and detach it from every sync',
    method: 'DELETE',
    path: `${path}/:id`,
    scope: write,
    tier: 'mutating',
    audit: 'ruleset.deleted',
    params: idParams('ruleset'),
    response: deletedSchema('ruleset', 'ruleset'),
    errors: ['resource_missing'],
    handle: async ({ params, caller, services }) => {
      await services.rulesets.delete(caller.accountRecord.id, pathId('ruleset', params.id));
      return deletedAnswer(params.id, 'ruleset');
    },
  }),
  operation({
    id: 'duplicate_ruleset',
    summary: 'Copy a ruleset and its rules; the copy is attached to nothing',
    docs: { answer: { ...rulesetExample, id: exampleId('ruleset', 2), sync_count: 0 } },
    method: 'POST',
    path: `${path}/:id/duplicate`,
    scope: write,
    tier: 'mutating',
    params: idParams('ruleset'),
    includes,
    response: rulesetSchema,
    errors: ['resource_missing', 'ruleset_duplicate_failed'],
    handle: async ({ params, caller, services, include }) => {
      const id = pathId('ruleset', params.id);
      return presentRuleset(
        await services.rulesets.duplicate(caller.accountRecord.id, id, include.has('rules')),
      );
    },
  }),
  operation({
    id: 'reorder_ruleset',
    summary: 'Reorder the rules of a ruleset',
    docs: { description: 'Names every rule once.', body: { rules: [ruleExample.id] } },
    method: 'POST',
    path: `${path}/:id/reorder`,
    scope: write,
    tier: 'mutating',
    params: idParams('ruleset'),
    body: reorderRulesBody,
    includes,
    response: rulesetSchema,
    errors: ['resource_missing'],
    handle: async ({ params, body, caller, services, include }) => {
      const owner = caller.accountRecord.id;
      const id = pathId('ruleset', params.id);
      const rules = body.rules.map((text, at) => fieldId('rule', text, `rules[${at}]`));
      await services.rulesetRules.reorder(owner, id, rules);
      return presentRuleset(await services.rulesets.read(owner, id, include.has('rules')));
    },
  }),
  operation({
    id: 'preview_ruleset',
    summary: 'Show the effect of a ruleset on the rows an account has now; nothing is written',
    docs: {
      description: 'With `rules`, those are tried in place of the saved ones. Reads live and writes nothing.',
      body: { account: exampleId('account'), limit: 50 },
    },
    method: 'POST',
    path: `${path}/:id/preview`,
    scope: read,
    alsoScopes: ['data:read'],
    tier: 'heavy',
    effect: 'reads',
    params: idParams('ruleset'),
    body: previewBody,
    response: rulesetPreviewSchema,
    errors: readErrors,
    handle: async ({ params, body, caller, services, signal }) => {
      const id = pathId('ruleset', params.id);
      const account = fieldId('account', body.account, 'account');
      const { from = null, to = null, include_pending = false, rules = null } = body;
      const limit = body.limit ?? Math.min(PREVIEW_ROWS, services.limits.preview_rows);
      const preview = await services.rulesetPreview.preview(
        caller.accountRecord.id,
        id,
        { account, from, to, includePending: include_pending, limit, rules },
        signal,
      );
      return presentPreview(preview, id, account);
    },
  }),
];
