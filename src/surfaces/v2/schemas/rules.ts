import { Type } from 'typebox';
import { FIXED_LIMITS } from '../../../vocabulary/limits.ts';
import { REPLACEABLE_FIELDS, RULE_ACTION_TYPES } from '../../../vocabulary/rule-actions.ts';
import { RULE_FIELD_NAMES, RULE_OPERATORS } from '../../../vocabulary/rule-fields.ts';
import type { RuleAction, RuleCondition } from '../../../vocabulary/rules.ts';
import { livemode, nullable, resource, text, timestamp } from './conventions.ts';

const CONDITIONS =
  'A tree: {"all": […]}, {"any": […]}, {"not": …}, or a condition {field, operator, value, case_sensitive}. ' +
  `Fields: ${RULE_FIELD_NAMES.join(', ')}. Operators: ${RULE_OPERATORS.join(', ')}; which of them a field takes ` +
  'follows its kind. in and not_in take a list, between takes [lowest, highest], is_empty and is_not_empty nothing. ' +
  'null: every row.';
const ACTIONS =
  `In order, each {type, …}, type being one of ${RULE_ACTION_TYPES.join(', ')}. value goes with every set_… and ` +
  `add_tag; replace_text takes field (${REPLACEABLE_FIELDS.join(', ')}), find, value and case_sensitive; flip_sign ` +
  'and skip take nothing, and skip stands alone.';

/** Parsed by the feature, which names the exact path of what is wrong; the schema only says what it is about. */
const conditionsInput = nullable(Type.Unsafe<object>({ type: 'object', description: CONDITIONS }));
const actionsInput = Type.Array(Type.Unsafe<object>({ type: 'object' }), { description: ACTIONS });

export const ruleSchema = resource('rule', {
  id: Type.String(),
  object: Type.Literal('rule'),
  ruleset: Type.String(),
  name: nullable(Type.String()),
  position: Type.Integer({ minimum: 0 }),
  enabled: Type.Boolean(),
  conditions: nullable(Type.Unsafe<RuleCondition>({ type: 'object' })),
  actions: Type.Array(Type.Unsafe<RuleAction>({ type: 'object' })),
  stop: Type.Boolean(),
  hits: Type.Integer({ minimum: 0 }),
  last_hit_at: nullable(timestamp),
  livemode,
  created: timestamp,
  updated: timestamp,
});

const name = nullable(text(FIXED_LIMITS.name_characters));
const position = Type.Integer({
  minimum: 0,
  description: 'From 0; rules behind it move back. Default: the end.',
});

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
