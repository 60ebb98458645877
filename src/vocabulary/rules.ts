import type { ReplaceableField } from './rule-actions.ts';
import type { RuleField, RuleOperator } from './rule-fields.ts';

/** `in` and `not_in` hold a list, `between` both ends, `is_empty` and `is_not_empty` nothing, the rest one text. */
export type LeafValue = string | readonly string[] | null;

export interface RuleLeaf {
  readonly field: RuleField;
  readonly operator: RuleOperator;
  /** Ids are public ones, as the caller wrote them. */
  readonly value: LeafValue;
  /** Only where text is compared; false everywhere else. */
  readonly case_sensitive: boolean;
}

/** A tree over leaves. `all` and `any` have at least one branch. */
export type RuleCondition =
  | { readonly all: readonly RuleCondition[] }
  | { readonly any: readonly RuleCondition[] }
  | { readonly not: RuleCondition }
  | RuleLeaf;

export type RuleAction =
  | { readonly type: 'set_description' | 'set_merchant' | 'set_memo' | 'add_tag'; readonly value: string }
  /** The public id of a category, or null for none. */
  | { readonly type: 'set_category'; readonly value: string | null }
  | {
      readonly type: 'replace_text';
      readonly field: ReplaceableField;
      readonly find: string;
      readonly value: string;
      readonly case_sensitive: boolean;
    }
  | { readonly type: 'flip_sign' | 'skip' };

/** What a rule does, without its position and hits. */
export interface RuleBody {
  readonly name: string | null;
  readonly enabled: boolean;
  /** null: every row. */
  readonly conditions: RuleCondition | null;
  readonly actions: readonly RuleAction[];
  /** Whether later rules ignore a row on which this one acted. */
  readonly stop: boolean;
}

/** Every leaf of a tree, with its path from `at` on. */
export function leavesOf(
  condition: RuleCondition | null,
  at = 'conditions',
): { readonly leaf: RuleLeaf; readonly path: string }[] {
  if (condition === null) return [];
  if ('all' in condition) return branches(condition.all, `${at}.all`);
  if ('any' in condition) return branches(condition.any, `${at}.any`);
  if ('not' in condition) return leavesOf(condition.not, `${at}.not`);
  return [{ leaf: condition, path: at }];
}

function branches(conditions: readonly RuleCondition[], at: string) {
  return conditions.flatMap((condition, index) => leavesOf(condition, `${at}[${index}]`));
}
