/** Fields whose text `replace_text` may change. */
export const REPLACEABLE_FIELDS = ['description', 'merchant_name', 'reference'] as const;
export type ReplaceableField = (typeof REPLACEABLE_FIELDS)[number];

/**
 * What a rule may do to a row: the members that each action takes besides `type` (docs/rules.md). None of them touches
 * a row's id, account, status, dates or currency, and none changes the size of an amount.
 */
export const RULE_ACTIONS = {
  set_description: ['value'],
  replace_text: ['field', 'find', 'value', 'case_sensitive'],
  set_merchant: ['value'],
  set_category: ['value'],
  set_memo: ['value'],
  flip_sign: [],
  add_tag: ['value'],
  skip: [],
} as const satisfies Record<string, readonly string[]>;
export type RuleActionType = keyof typeof RULE_ACTIONS;

export const RULE_ACTION_TYPES: readonly RuleActionType[] =
  Object.keys(RULE_ACTIONS).filter(isRuleActionType);

export function isRuleActionType(text: string): text is RuleActionType {
  return Object.hasOwn(RULE_ACTIONS, text);
}
