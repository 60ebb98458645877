import { Type } from 'typebox';
import { FIXED_LIMITS } from '../../vocabulary/limits.ts';
import type { RuleAction, RuleCondition } from '../../vocabulary/rules.ts';
import { limited } from './bounds.ts';
import { idOf, livemode, nullable, positionOf, resource, text, timestamp } from './conventions.ts';

/**
 * Parsed by the feature, which names the exact path of what is wrong; the description has their shapes from the tables
 * (openapi/nouns/rule-shapes.ts).
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
