import Big from 'big.js';
import type { WorkingRow } from '../../../src/features/rules/working-row.ts';
import { currencyExponent } from '../../../src/vocabulary/money.ts';
import type { RuleCondition, RuleLeaf } from '../../../src/vocabulary/rules.ts';
import { CATEGORIES } from './rows.ts';

/** docs/rules.md word by word, without a thought for speed: what the compiled conditions are held against. */
export function holds(condition: RuleCondition, row: WorkingRow): boolean {
  if ('all' in condition) return !condition.all.some((branch) => !holds(branch, row));
  if ('any' in condition) return condition.any.some((branch) => holds(branch, row));
  if ('not' in condition) return !holds(condition.not, row);
  return leafHolds(condition, row);
}

function leafHolds(leaf: RuleLeaf, row: WorkingRow): boolean {
  switch (leaf.operator) {
    case 'not_equals':
      return !leafHolds({ ...leaf, operator: 'equals' }, row);
    case 'not_contains':
      return !leafHolds({ ...leaf, operator: 'contains' }, row);
    case 'not_in':
      return !leafHolds({ ...leaf, operator: 'in' }, row);
    case 'is_not_empty':
      return !leafHolds({ ...leaf, operator: 'is_empty' }, row);
    case 'in':
      return values(leaf).some((value) => leafHolds({ ...leaf, operator: 'equals', value }, row));
    case 'between': {
      const [low = '', high = ''] = values(leaf);
      return (
        leafHolds({ ...leaf, operator: 'gte', value: low }, row) &&
        leafHolds({ ...leaf, operator: 'lte', value: high }, row)
      );
    }
    default:
      return leaf.field === 'amount' ? amountHolds(leaf, row) : valueHolds(leaf, row);
  }
}

function values({ value }: RuleLeaf): readonly string[] {
  return typeof value === 'string' ? [value] : (value ?? []);
}

function amountHolds(leaf: RuleLeaf, row: WorkingRow): boolean {
  const { amount, currency } = row.transaction.amount;
  const size = new Big(amount).abs().div(new Big(10).pow(currencyExponent(currency)));
  const [value = '0'] = values(leaf);
  const order = size.cmp(new Big(value));
  return ordered(leaf, order);
}

function ordered({ operator }: RuleLeaf, order: number): boolean {
  if (operator === 'equals') return order === 0;
  if (operator === 'gt') return order > 0;
  if (operator === 'gte') return order >= 0;
  if (operator === 'lt') return order < 0;
  if (operator === 'lte') return order <= 0;
  throw new Error(`${operator} is no order`);
}

function valueHolds(leaf: RuleLeaf, row: WorkingRow): boolean {
  const held = heldBy(leaf, row);
  if (leaf.operator === 'is_empty') return held === null || held.trim() === '';
  if (held === null) return false;
  const [value = ''] = values(leaf);
  if (leaf.field === 'date') return ordered(leaf, held < value ? -1 : held > value ? 1 : 0);
  if (leaf.field === 'category') {
    const category = CATEGORIES.get(held);
    return category !== undefined && (held === value || category.group === value);
  }
  return textHolds(leaf, held, value);
}

function textHolds({ operator, case_sensitive }: RuleLeaf, held: string, wanted: string): boolean {
  const letter = (one: string) => (case_sensitive ? one : one.toLowerCase().toUpperCase());
  const form = (text: string) => [...text.normalize('NFC')].map(letter).join('');
  const [text, value] = [form(held), form(wanted)];
  if (operator === 'equals') return text === value;
  if (operator === 'contains') return text.split(value).length > 1 || value === '';
  if (operator === 'starts_with') return text.slice(0, value.length) === value;
  if (operator === 'ends_with') return value === '' || text.slice(-value.length) === value;
  throw new Error(`${operator} compares no texts`);
}

function heldBy({ field }: RuleLeaf, row: WorkingRow): string | null {
  if (field === 'category') return row.category;
  if (field === 'account') return row.account;
  if (field === 'currency') return row.transaction.amount.currency;
  if (field === 'amount') throw new Error('an amount is no text');
  return row.transaction[field];
}
