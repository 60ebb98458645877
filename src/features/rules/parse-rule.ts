import type { Limits } from '../../vocabulary/limits.ts';
import { leavesOf, type RuleBody } from '../../vocabulary/rules.ts';
import { invalidParameter } from '../../vocabulary/service-error.ts';
import { parseActions } from './parse-actions.ts';
import { parseConditions } from './parse-conditions.ts';

/** A rule as a caller sent it: conditions and actions are parsed here, the rest was by the schema. */
export interface GivenRule {
  readonly name?: string | null;
  readonly enabled?: boolean;
  readonly conditions: unknown;
  readonly actions: unknown;
  readonly stop?: boolean;
}

/** The rule, or what stands wrong in it. `at` is its path in the body with a full stop at the end, or empty. */
export function parseRule(given: GivenRule, limits: Limits, at = ''): RuleBody {
  return {
    name: given.name ?? null,
    enabled: given.enabled ?? true,
    conditions: parseConditions(given.conditions, `${at}conditions`, limits),
    actions: parseActions(given.actions, `${at}actions`, limits),
    stop: given.stop ?? false,
  };
}

/** What a change of a rule names; what it does not name stays. */
export type RulePatch = Partial<GivenRule>;

/** The parts of a rule that a change names. Raises as parseRule does. */
export function parseRulePatch(patch: RulePatch, limits: Limits): Partial<RuleBody> {
  return {
    ...(patch.name === undefined ? {} : { name: patch.name }),
    ...(patch.enabled === undefined ? {} : { enabled: patch.enabled }),
    ...(patch.stop === undefined ? {} : { stop: patch.stop }),
    ...(patch.conditions === undefined
      ? {}
      : { conditions: parseConditions(patch.conditions, 'conditions', limits) }),
    ...(patch.actions === undefined ? {} : { actions: parseActions(patch.actions, 'actions', limits) }),
  };
}

type Conditions = Pick<RuleBody, 'conditions'>;

/** Raises `parameter_invalid` (`param`) when the rules together hold more patterns than a ruleset may. */
export function requireFewPatterns(rules: readonly Conditions[], limits: Limits, param: string): void {
  const patterns = rules.reduce((sum, rule) => sum + patternsOf(rule), 0);
  if (patterns <= limits.ruleset_patterns) return;
  throw invalidParameter(
    param,
    `The ruleset would hold ${patterns} conditions with matches, and ${limits.ruleset_patterns} is the maximum; ` +
      'combine patterns with |, or use contains.',
  );
}

/**
 * The same for a rule that is saved among others. One that brings no pattern is let in whatever the others hold: they
 * may have been saved under a higher limit.
 */
export function requireRoomForPatterns(
  others: readonly Conditions[],
  rule: Conditions,
  limits: Limits,
): void {
  if (patternsOf(rule) > 0) requireFewPatterns([...others, rule], limits, 'conditions');
}

function patternsOf({ conditions }: Conditions): number {
  return leavesOf(conditions).filter(({ leaf }) => leaf.operator === 'matches').length;
}
