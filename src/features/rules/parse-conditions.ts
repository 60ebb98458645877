import type { Limits } from '../../vocabulary/limits.ts';
import type { RuleCondition } from '../../vocabulary/rules.ts';
import { invalidParameter } from '../../vocabulary/service-error.ts';
import { listOf, type Members, membersOf } from './given.ts';
import { parseLeaf } from './parse-leaf.ts';

const GROUPS = ['all', 'any', 'not'] as const;

/**
 * The conditions of a rule as a caller sent them: `{all: […]}`, `{any: […]}`, `{not: …}` or a leaf, nested; null for
 * every row. Raises `parameter_invalid`, `parameter_missing` or `resource_missing`, `param` being the exact path, such
 * as `conditions.all[1].value`. Whether ids are the caller's own is not looked at here.
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
