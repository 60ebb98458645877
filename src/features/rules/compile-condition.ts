import { RULE_FIELDS, type RuleField } from '../../vocabulary/rule-fields.ts';
import type { RuleCondition, RuleLeaf } from '../../vocabulary/rules.ts';
import { composed, folded } from '../../vocabulary/text-folding.ts';
import {
  type Comparison,
  compilePattern,
  decimalThreshold,
  type PatternLimits,
  type TextTest,
} from './pattern.ts';
import type { RuleCategories, WorkingRow } from './working-row.ts';

export type RowTest = (row: WorkingRow) => boolean;

export interface CompileContext {
  readonly limits: PatternLimits & { readonly row_text_characters: number };
  readonly categories: RuleCategories;
}

/** Compiles a parsed condition into one function. The order of branches affects only the time. */
export function compileCondition(condition: RuleCondition, context: CompileContext): RowTest {
  if ('all' in condition) {
    const tests = condition.all.map((branch) => compileCondition(branch, context));
    return (row) => tests.every((test) => test(row));
  }
  if ('any' in condition) {
    const tests = condition.any.map((branch) => compileCondition(branch, context));
    return (row) => tests.some((test) => test(row));
  }
  if ('not' in condition) {
    const test = compileCondition(condition.not, context);
    return (row) => !test(row);
  }
  return compileLeaf(condition, context);
}

function compileLeaf(leaf: RuleLeaf, context: CompileContext): RowTest {
  if (leaf.field === 'amount') return amountTest(leaf);
  const { kind } = RULE_FIELDS[leaf.field];
  const read = READERS[leaf.field];
  const { operator } = leaf;
  if (operator === 'is_empty') return (row) => isEmpty(read(row));
  if (operator === 'is_not_empty') return (row) => !isEmpty(read(row));
  const test =
    kind === 'day'
      ? dayTest(leaf)
      : kind === 'category'
        ? categoryTest(leaf, context)
        : anyText(leaf, context);
  // A missing value equals nothing, so it differs from everything.
  const negated = operator === 'not_equals' || operator === 'not_contains' || operator === 'not_in';
  return (row) => {
    const text = read(row);
    return (text !== null && test(text)) !== negated;
  };
}

function isEmpty(text: string | null): boolean {
  return text === null || text.trim() === '';
}

function anyText(leaf: RuleLeaf, { limits }: CompileContext): (text: string) => boolean {
  if (leaf.operator !== 'matches' || typeof leaf.value !== 'string') return textTest(leaf, null);
  const matches = compilePattern(composed(leaf.value), leaf.case_sensitive, limits, 'value');
  const most = limits.row_text_characters;
  return textTest(leaf, (read) => {
    const text = composed(read);
    return matches(text.length > most ? text.slice(0, most) : text);
  });
}

/** A group means every category in it. A deleted category matches no row. */
function categoryTest(leaf: RuleLeaf, { categories }: CompileContext): (id: string) => boolean {
  const wanted = new Set(typeof leaf.value === 'string' ? [leaf.value] : leaf.value);
  return (id) => {
    const category = categories.get(id);
    if (category === undefined) return false;
    return wanted.has(id) || (category.group !== null && wanted.has(category.group));
  };
}

function dayTest(leaf: RuleLeaf): (day: string) => boolean {
  const [low = '', high = ''] = typeof leaf.value === 'string' ? [leaf.value] : (leaf.value ?? []);
  return ordered(
    leaf,
    (day) => compareTexts(day, low),
    (day) => compareTexts(day, high),
  );
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function amountTest(leaf: RuleLeaf): RowTest {
  const [low = '0', high = '0'] = typeof leaf.value === 'string' ? [leaf.value] : (leaf.value ?? []);
  const to = (threshold: Comparison) => (row: WorkingRow) => {
    const { amount, currency } = row.transaction.amount;
    return threshold(Math.abs(amount), currency);
  };
  const test = ordered(leaf, to(decimalThreshold(low)), to(decimalThreshold(high)));
  return leaf.operator === 'not_equals' ? (row) => !test(row) : test;
}

/** `low` and `high` compare a value with the leaf's first and second bound. The caller negates for `not_equals`. */
function ordered<T>(
  { operator }: RuleLeaf,
  low: (value: T) => number,
  high: (value: T) => number,
): (value: T) => boolean {
  switch (operator) {
    case 'equals':
    case 'not_equals':
      return (value) => low(value) === 0;
    case 'gt':
      return (value) => low(value) > 0;
    case 'gte':
      return (value) => low(value) >= 0;
    case 'lt':
      return (value) => low(value) < 0;
    case 'lte':
      return (value) => low(value) <= 0;
    case 'between':
      return (value) => low(value) >= 0 && high(value) <= 0;
    default:
      throw new TypeError(`${operator} orders nothing`);
  }
}

const READERS: Readonly<Record<Exclude<RuleField, 'amount'>, (row: WorkingRow) => string | null>> = {
  description: (row) => row.transaction.description,
  extended_description: (row) => row.transaction.extended_description,
  merchant_name: (row) => row.transaction.merchant_name,
  reference: (row) => row.transaction.reference,
  currency: (row) => row.transaction.amount.currency,
  direction: (row) => row.transaction.direction,
  status: (row) => row.transaction.status,
  class: (row) => row.transaction.class,
  date: (row) => row.transaction.date,
  provider_category: (row) => row.transaction.provider_category,
  merchant_category_code: (row) => row.transaction.merchant_category_code,
  category: (row) => row.category,
  account: (row) => row.account,
};

/**
 * The test of a leaf on one text, for the operators that compare texts. Case is ignored unless the leaf says otherwise;
 * composed and decomposed characters are the same.
 */
function textTest(leaf: RuleLeaf, matches: TextTest | null): TextTest {
  const form = leaf.case_sensitive ? composed : folded;
  const values = (typeof leaf.value === 'string' ? [leaf.value] : (leaf.value ?? [])).map(form);
  const [value = ''] = values;
  switch (leaf.operator) {
    case 'equals':
    case 'not_equals':
      return (text) => form(text) === value;
    case 'contains':
    case 'not_contains':
      return (text) => form(text).includes(value);
    case 'starts_with':
      return (text) => form(text).startsWith(value);
    case 'ends_with':
      return (text) => form(text).endsWith(value);
    case 'in':
    case 'not_in': {
      const known = new Set(values);
      return (text) => known.has(form(text));
    }
    case 'matches':
      if (matches === null) throw new TypeError('a pattern is compiled before its test is made');
      return matches;
    default:
      throw new TypeError(`${leaf.operator} compares no texts`);
  }
}
