import type { RuleAction, RuleCondition } from '#client';
import { RULE_FIELDS } from '../../../../src/vocabulary/rule-fields.ts';
import { FIELD_WORDS, OPERATOR_WORDS, READING, VALUE_WORDS } from '../../text/rule-words.ts';
import type { RuleBody } from './draft.ts';

type RuleLeaf = Extract<RuleCondition, { readonly field: unknown }>;

/** What ids and codes in rules are called. */
export interface RuleNames {
  readonly category: (id: string) => string;
  readonly account: (id: string) => string;
  readonly code: (code: string) => string;
}

/** A rule as a sentence. */
export function ruleReading(
  { conditions, actions, stop }: Pick<RuleBody, 'conditions' | 'actions' | 'stop'>,
  names: RuleNames,
): string {
  const when = conditions === null ? READING.every : READING.when(conditionText(conditions, names, false));
  const does = actions.map((action) => actionText(action, names));
  const parts = [...(does.length === 0 ? [READING.nothing] : does), ...(stop ? [READING.stop] : [])];
  return READING.rule(when, listed(parts, READING.and));
}

function conditionText(condition: RuleCondition, names: RuleNames, isInner: boolean): string {
  if ('not' in condition) return READING.not(conditionText(condition.not, names, false));
  if ('all' in condition) return groupText(condition.all, READING.and, names, isInner);
  if ('any' in condition) return groupText(condition.any, READING.or, names, isInner);
  return leafText(condition, names);
}

function groupText(
  conditions: readonly RuleCondition[],
  join: string,
  names: RuleNames,
  isInner: boolean,
): string {
  if (conditions.length === 0) return READING.nothing;
  const isSeveral = conditions.length > 1;
  const text = conditions.map((one) => conditionText(one, names, isSeveral)).join(` ${join} `);
  return isInner && isSeveral ? READING.group(text) : text;
}

function leafText(leaf: RuleLeaf, names: RuleNames): string {
  const { field, operator, value, case_sensitive: sameCase } = leaf;
  const subject = field === 'direction' ? READING.it : FIELD_WORDS[field];
  const words = `${subject} ${OPERATOR_WORDS[RULE_FIELDS[field].kind][operator]}`;
  if (value == null) return words;
  const shown = (text: string) => valueText(leaf, text, names);
  const values =
    typeof value === 'string'
      ? shown(value)
      : operator === 'between'
        ? READING.between(shown(value[0] ?? ''), shown(value[1] ?? ''))
        : listed(value.map(shown), READING.or);
  return `${words} ${values}${sameCase ? READING.sameCase : ''}`;
}

function valueText({ field, operator }: RuleLeaf, text: string, names: RuleNames): string {
  if (text === '') return READING.nothing;
  switch (RULE_FIELDS[field].kind) {
    case 'text':
      return READING.quoted(text);
    case 'code':
      return field === 'provider_category' && operator !== 'starts_with' ? names.code(text) : text;
    case 'word':
      return VALUE_WORDS[text] ?? text;
    case 'category':
      return names.category(text);
    case 'account':
      return names.account(text);
    case 'currency':
      return text.toUpperCase();
    default:
      return text;
  }
}

function actionText(action: RuleAction, names: RuleNames): string {
  switch (action.type) {
    case 'set_description':
      return READING.setDescription(quoted(action.value));
    case 'set_merchant':
      return READING.setMerchant(quoted(action.value));
    case 'set_memo':
      return READING.setMemo(quoted(action.value));
    case 'add_tag':
      return READING.addTag(quoted(action.value));
    case 'set_category':
      return action.value === null
        ? READING.clearCategory
        : READING.setCategory(names.category(action.value));
    case 'replace_text': {
      const field = FIELD_WORDS[action.field];
      const find = `${quoted(action.find)}${action.case_sensitive ? READING.sameCase : ''}`;
      return action.value === ''
        ? READING.remove(find, field)
        : READING.replace(find, quoted(action.value), field);
    }
    case 'flip_sign':
      return READING.flipSign;
    case 'skip':
      return READING.skip;
  }
}

function quoted(text: string): string {
  return text === '' ? READING.nothing : READING.quoted(text);
}

/** `a, b and c`. */
function listed(parts: readonly string[], word: string): string {
  const last = parts.at(-1) ?? READING.nothing;
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} ${word} ${last}`;
}
