import type { Limits } from '../../vocabulary/limits.ts';
import { leavesOf, type RuleBody, type RuleCondition } from '../../vocabulary/rules.ts';
import { invalidParameter } from '../../vocabulary/service-error.ts';
import { composed } from '../../vocabulary/text-folding.ts';
import { listOf, type Members, membersOf } from './given.ts';
import { parseActions } from './parse-actions.ts';
import { parseLeaf } from './parse-leaf.ts';
import { patternSteps } from './pattern.ts';

const GROUPS = ['all', 'any', 'not'] as const;

/**
 * The conditions of a rule as a caller sent them: `{all: […]}`, `{any: […]}`, `{not: …}` or a leaf, nested; null for
 * every row. Raises `parameter_invalid`, `parameter_missing` or `resource_missing`, with the exact path as `param`,
 * such as `conditions.all[1].value`. Does not check whether ids are the caller's own.
 */
export function parseConditions(value: unknown, path: string, limits: Limits): RuleCondition | null {
  if (value === null) return null;
  const budget = { left: limits.rule_conditions };
  return parseNode(value, { path, root: path, depth: 1, budget, limits });
}

interface Place {
  readonly path: string;
  readonly root: string;
  readonly depth: number;
  /** Shared by the whole tree. */
  readonly budget: { left: number };
  readonly limits: Limits;
}

function parseNode(value: unknown, place: Place): RuleCondition {
  const { path, root, depth, budget, limits } = place;
  const members = membersOf(value, path);
  if (depth > limits.rule_condition_depth) {
    throw invalidParameter(path, `${root} is nested deeper than ${limits.rule_condition_depth} levels.`);
  }
  budget.left -= 1;
  if (budget.left < 0) {
    throw invalidParameter(
      path,
      `${root} contains more than ${limits.rule_conditions} conditions and groups.`,
    );
  }
  const group = GROUPS.find((name) => members.has(name));
  if (group === undefined) return parseLeaf(members, path, limits);
  if (members.size > 1) {
    throw invalidParameter(path, `${path} must contain only ${group}, or be a condition on one field.`);
  }
  const inside = { ...place, path: `${path}.${group}`, depth: depth + 1 };
  if (group === 'not') return { not: parseNode(members.get(group), inside) };
  return parseBranches(group, members, inside);
}

function parseBranches(group: 'all' | 'any', members: Members, place: Place): RuleCondition {
  const { path, limits } = place;
  const given = listOf(members.get(group), path, limits.rule_conditions);
  const branches = given.map((branch, at) => parseNode(branch, { ...place, path: `${path}[${at}]` }));
  return group === 'all' ? { all: branches } : { any: branches };
}

/** A rule as a caller sent it: conditions and actions are parsed here; the schema has validated the rest. */
export interface GivenRule {
  readonly name?: string | null;
  readonly enabled?: boolean;
  readonly conditions: unknown;
  readonly actions: unknown;
  readonly stop?: boolean;
}

/** Parses a rule. `at` is its path in the body with a full stop at the end, or empty. */
export function parseRule(given: GivenRule, limits: Limits, at = ''): RuleBody {
  return {
    name: given.name ?? null,
    enabled: given.enabled ?? true,
    conditions: parseConditions(given.conditions, `${at}conditions`, limits),
    actions: parseActions(given.actions, `${at}actions`, limits),
    stop: given.stop ?? false,
  };
}

/** The members that a change of a rule sets; the others stay. */
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

/** Raises `parameter_invalid` (`param`) if the rules together have more or larger patterns than a ruleset may. */
export function requireFewPatterns(rules: readonly Conditions[], limits: Limits, param: string): void {
  const patterns = rules.flatMap(patternsOf);
  if (patterns.length > limits.ruleset_patterns) {
    throw invalidParameter(
      param,
      `The ruleset would have ${patterns.length} conditions with matches, and ${limits.ruleset_patterns} is the ` +
        'maximum; combine patterns with |, or use contains.',
    );
  }
  const steps = patterns.reduce((sum, { text, caseSensitive }) => sum + patternSteps(text, caseSensitive), 0);
  if (steps <= limits.ruleset_pattern_steps) return;
  throw invalidParameter(
    param,
    `The conditions with matches of the ruleset would compile to ${steps} steps together, and ` +
      `${limits.ruleset_pattern_steps} is the maximum; use smaller repeat counts, or contains.`,
  );
}

/**
 * The same for a rule that is saved among others. One without patterns is accepted whatever the others have, because
 * they may have been saved under a higher limit.
 */
export function requireRoomForPatterns(
  others: readonly Conditions[],
  rule: Conditions,
  limits: Limits,
): void {
  if (patternsOf(rule).length > 0) requireFewPatterns([...others, rule], limits, 'conditions');
}

interface Pattern {
  readonly text: string;
  readonly caseSensitive: boolean;
}

function patternsOf({ conditions }: Conditions): Pattern[] {
  return leavesOf(conditions).flatMap(({ leaf }) =>
    leaf.operator === 'matches' && typeof leaf.value === 'string'
      ? [{ text: composed(leaf.value), caseSensitive: leaf.case_sensitive }]
      : [],
  );
}
