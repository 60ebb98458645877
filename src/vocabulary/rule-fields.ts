import { TRANSACTION_CLASSES, TRANSACTION_STATUSES } from './transactions.ts';

/**
 * What a condition may test: the kind of each field, and the operators of each kind (docs/rules.md). A field takes
 * exactly the operators of its kind.
 */
export const RULE_OPERATORS = [
  'equals',
  'not_equals',
  'contains',
  'not_contains',
  'starts_with',
  'ends_with',
  'matches',
  'in',
  'not_in',
  'gt',
  'gte',
  'lt',
  'lte',
  'between',
  'is_empty',
  'is_not_empty',
] as const;
export type RuleOperator = (typeof RULE_OPERATORS)[number];

/**
 * `text`: any text. `code`: a code of the bank. `amount`: a decimal string without a sign, in the row's own currency.
 * `day`: YYYY-MM-DD. `word`: one of a fixed set. `currency`: an ISO 4217 code. `category`, `account`: an id of ours.
 */
export const KIND_OPERATORS = {
  text: [
    'equals',
    'not_equals',
    'contains',
    'not_contains',
    'starts_with',
    'ends_with',
    'matches',
    'in',
    'not_in',
    'is_empty',
    'is_not_empty',
  ],
  code: ['equals', 'not_equals', 'starts_with', 'in', 'not_in', 'is_empty', 'is_not_empty'],
  amount: ['equals', 'not_equals', 'gt', 'gte', 'lt', 'lte', 'between'],
  day: ['equals', 'not_equals', 'gt', 'gte', 'lt', 'lte', 'between', 'is_empty', 'is_not_empty'],
  word: ['equals', 'not_equals', 'in', 'not_in'],
  currency: ['equals', 'not_equals', 'in', 'not_in'],
  category: ['equals', 'not_equals', 'in', 'not_in', 'is_empty', 'is_not_empty'],
  account: ['equals', 'not_equals', 'in', 'not_in'],
} as const satisfies Record<string, readonly RuleOperator[]>;
export type FieldKind = keyof typeof KIND_OPERATORS;

interface FieldRow {
  readonly kind: FieldKind;
  /** For a `word`: the allowed values. */
  readonly values?: readonly string[];
}

export const RULE_FIELDS = {
  description: { kind: 'text' },
  extended_description: { kind: 'text' },
  merchant_name: { kind: 'text' },
  reference: { kind: 'text' },
  amount: { kind: 'amount' },
  currency: { kind: 'currency' },
  direction: { kind: 'word', values: ['credit', 'debit'] },
  status: { kind: 'word', values: TRANSACTION_STATUSES },
  class: { kind: 'word', values: TRANSACTION_CLASSES },
  date: { kind: 'day' },
  provider_category: { kind: 'code' },
  merchant_category_code: { kind: 'code' },
  category: { kind: 'category' },
  account: { kind: 'account' },
} as const satisfies Record<string, FieldRow>;
export type RuleField = keyof typeof RULE_FIELDS;

export const RULE_FIELD_NAMES: readonly RuleField[] = Object.keys(RULE_FIELDS).filter(isRuleField);

export function isRuleField(text: string): text is RuleField {
  return Object.hasOwn(RULE_FIELDS, text);
}

export function isRuleOperator(text: string): text is RuleOperator {
  return RULE_OPERATORS.some((operator) => operator === text);
}

export function operatorsOf(field: RuleField): readonly RuleOperator[] {
  return KIND_OPERATORS[RULE_FIELDS[field].kind];
}

/** The allowed values of a field of kind `word`; none for the other kinds. */
export function wordsOf(field: RuleField): readonly string[] {
  const row: FieldRow = RULE_FIELDS[field];
  return row.values ?? [];
}
