import { type Static, type TObject, Type } from 'typebox';
import type { PlacedRulePatch } from '../../../features/rulesets/ruleset-rules.ts';
import type { CountedRule } from '../../../storage/rules.ts';
import { publicId } from '../../../vocabulary/ids.ts';
import { FIXED_LIMITS } from '../../../vocabulary/limits.ts';
import type { RuleAction, RuleCondition } from '../../../vocabulary/rules.ts';
import { type Operation, operation } from '../../operation.ts';
import { ListRequest, listOf, pagingQuery } from '../../paging.ts';
import type { ResourceDocs } from '../docs/docs.ts';
import { EXAMPLE_CREATED, EXAMPLE_UPDATED, exampleId } from '../docs/examples.ts';
import { limited } from '../schema/bounds.ts';
import {
  deletedAnswer,
  deletedSchema,
  idOf,
  idParams,
  livemode,
  moment,
  momentOrNull,
  nullable,
  pathId,
  positionOf,
  resource,
  text,
  timestamp,
} from '../schema/conventions.ts';

/**
 * Parsed by the feature, which names the exact path of what is wrong; the description has their shapes from the tables
 * (rule-shapes.ts).
 */
const condition = Type.Unsafe<RuleCondition>({ type: 'object', $comment: 'rule_condition' });
const action = Type.Unsafe<RuleAction>({ type: 'object', $comment: 'rule_action' });
const conditionsInput = nullable(Type.Unsafe<object>(condition));
const actionsInput = Type.Array(Type.Unsafe<object>(action), limited({ maxItems: 'rule_actions' }));

export const ruleSchema = resource('rule', {
  id: idOf('rule'),
  object: Type.Literal('rule'),
  ruleset: idOf('ruleset'),
  name: nullable(Type.String()),
  position: Type.Integer({ minimum: 0 }),
  enabled: Type.Boolean(),
  conditions: nullable(condition),
  actions: Type.Array(action),
  stop: Type.Boolean(),
  hits: Type.Integer({ minimum: 0 }),
  last_hit_at: nullable(timestamp),
  livemode,
  created: timestamp,
  updated: timestamp,
});

const name = nullable(text(FIXED_LIMITS.name_characters));
const position = positionOf('From 0; rules behind it move back. Default: the end.');

const rule = {
  name: Type.Optional(name),
  enabled: Type.Optional(Type.Boolean()),
  conditions: conditionsInput,
  actions: actionsInput,
  stop: Type.Optional(Type.Boolean()),
};

/** A rule to be tried without being saved. */
export const givenRule = Type.Object(rule, { additionalProperties: false });

export const createRuleBody = Type.Object({ ...rule, position: Type.Optional(position) });

export const updateRuleBody = Type.Object({
  ...rule,
  conditions: Type.Optional(conditionsInput),
  actions: Type.Optional(actionsInput),
  position: Type.Optional(position),
});

export function presentRule(rule: CountedRule): Static<typeof ruleSchema> {
  return {
    id: publicId('rule', rule.id),
    object: 'rule',
    ruleset: publicId('ruleset', rule.ruleset),
    name: rule.name,
    position: rule.position,
    enabled: rule.enabled,
    conditions: rule.conditions,
    actions: [...rule.actions],
    stop: rule.stop,
    hits: rule.hits,
    last_hit_at: momentOrNull(rule.last_hit_at),
    livemode: true,
    created: moment(rule.created),
    updated: moment(rule.updated),
  };
}

const bodyExample = {
  name: 'Coffee to go',
  conditions: {
    all: [
      { field: 'description', operator: 'contains', value: 'CAFE', case_sensitive: false },
      { field: 'amount', operator: 'lt', value: '20.00', case_sensitive: false },
    ],
  },
  actions: [{ type: 'set_merchant' as const, value: 'Cafe' }],
};

export const ruleExample: Static<typeof ruleSchema> = {
  id: exampleId('rule'),
  object: 'rule',
  ruleset: exampleId('ruleset'),
  name: bodyExample.name,
  position: 0,
  enabled: true,
  conditions: {
    all: [
      { field: 'description', operator: 'contains', value: 'CAFE', case_sensitive: false },
      { field: 'amount', operator: 'lt', value: '20.00', case_sensitive: false },
    ],
  },
  actions: bodyExample.actions,
  stop: false,
  hits: 17,
  last_hit_at: EXAMPLE_UPDATED,
  livemode: true,
  created: EXAMPLE_CREATED,
  updated: EXAMPLE_CREATED,
};

const sentDocs = {
  conditions: 'For which rows; null: every row.',
  actions: 'What is done to them, in order.',
};

export const rulesDocs: Readonly<Record<string, ResourceDocs>> = {
  rule: {
    description:
      'When its conditions hold for a row, its actions are applied; the rules after it see the changed row.',
    fields: {
      position: 'Place among the rules of the ruleset, from 0.',
      conditions: 'A tree of all, any and not over conditions on fields; null: every row.',
      actions: 'What is done to the row, in order.',
      stop: 'Whether later rules skip a row this one acted on.',
      hits: 'Rows it acted on in syncs.',
    },
    example: ruleExample,
  },
};

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
    response: listOf(ruleSchema),
    errors: ['resource_missing'],
    handle: async (request) => {
      const { params, caller, services } = request;
      const id = pathId('ruleset', params.id);
      const shown = `/v2/rulesets/${publicId('ruleset', id)}/rules`;
      const paging = new ListRequest(request, `list_rules ${id}`, shown, request.query);
      const at = paging.token === null ? null : Number(paging.token.position[0]);
      const backwards = paging.token?.direction === 'previous';
      const place = { after: backwards ? null : at, before: backwards ? at : null };
      const page = await services.rulesetRules.list(caller.accountRecord.id, id, {
        limit: paging.limit,
        ...place,
      });
      const first = page.items[0];
      const last = page.items.at(-1);
      return {
        object: 'list' as const,
        data: page.items.map(presentRule),
        next_page_url: page.hasMore && last ? paging.url('next', [String(last.position)]) : null,
        previous_page_url:
          page.hasPrevious && first ? paging.url('previous', [String(first.position)]) : null,
      };
    },
  }),
  operation({
    id: 'create_rule',
    summary: 'Add a rule to a ruleset',
    docs: {
      description:
        '`conditions` is required: null means every row, and an accidental omission must not mean that.',
      sent: sentDocs,
      body: bodyExample,
      answer: { ...ruleExample, hits: 0, last_hit_at: null },
    },
    method: 'POST',
    path,
    scope: write,
    tier: 'mutating',
    params: idParams('ruleset'),
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
    docs: {
      description: 'Omitted fields are unchanged.',
      sent: sentDocs,
      body: { enabled: false, position: 0 },
    },
    method: 'POST',
    update: true,
    path: `${path}/:rule`,
    scope: write,
    tier: 'mutating',
    params: ruleParams,
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
