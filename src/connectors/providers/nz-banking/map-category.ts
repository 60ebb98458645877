import { isPrimaryCategory, type PrimaryCategory } from '../../../vocabulary/provider-categories.ts';
import type { WireObject } from '../kit/json.ts';
import { inner, text } from '../kit/members.ts';
import { NZFCC_IDS } from './nzfcc-ids.ts';

const CODES: ReadonlyMap<string, PrimaryCategory> = new Map(
  Object.entries(NZFCC_IDS).flatMap(([code, ids]) =>
    isPrimaryCategory(code) ? ids.map((id) => [`nzfcc_${id}`, code] as const) : [],
  ),
);

/** For categories of a later edition: what most of their group are, by the group's name. */
const GROUPS: ReadonlyMap<string, PrimaryCategory> = new Map([
  ['Appearance', 'MERCHANDISE'],
  ['Education', 'SERVICES'],
  ['Food', 'FOOD_AND_DRINK'],
  ['Health', 'MEDICAL'],
  ['Household', 'MERCHANDISE'],
  ['Housing', 'RENT_AND_UTILITIES'],
  ['Lifestyle', 'ENTERTAINMENT'],
  ['Professional Services', 'SERVICES'],
  ['Transport', 'TRANSPORTATION'],
  ['Utilities', 'RENT_AND_UTILITIES'],
]);

/** What a type says of a row without a category, by whether money came in. */
const TYPES: ReadonlyMap<
  string,
  { readonly in: PrimaryCategory | null; readonly out: PrimaryCategory | null }
> = new Map([
  ['ATM', { in: null, out: 'TRANSFER_OUT' }],
  ['CREDIT CARD', { in: null, out: 'LOAN_PAYMENTS' }],
  ['FEE', { in: 'BANK_FEES', out: 'BANK_FEES' }],
  ['INTEREST', { in: 'INCOME', out: 'BANK_FEES' }],
  ['LOAN', { in: null, out: 'LOAN_PAYMENTS' }],
  ['TAX', { in: 'GOVERNMENT_AND_NON_PROFIT', out: 'GOVERNMENT_AND_NON_PROFIT' }],
  ['TRANSFER', { in: 'TRANSFER_IN', out: 'TRANSFER_OUT' }],
]);
const PAY_WORD = /\b(salary|wages?|payroll|pay run)\b/i;

/**
 * The code of a row: by its category, else by the category's group, else by the row's type; null where none says
 * anything. Category ids stay when names are reworded, so names are not looked at.
 */
export function categoryOf(row: WireObject, description: string, out: boolean): PrimaryCategory | null {
  const category = inner(row, 'category');
  const id = category === null ? null : text(category, '_id');
  const known = id === null ? undefined : CODES.get(id);
  if (known !== undefined) return known;
  const groups = category === null ? null : inner(category, 'groups');
  const group = groups === null ? null : inner(groups, 'personal_finance');
  const ofGroup = group === null ? undefined : GROUPS.get(text(group, 'name') ?? '');
  return ofGroup ?? categoryOfType(text(row, 'type'), description, out);
}

function categoryOfType(type: string | null, description: string, out: boolean): PrimaryCategory | null {
  if (type === 'DIRECT CREDIT') return !out && PAY_WORD.test(description) ? 'INCOME' : null;
  const codes = TYPES.get(type ?? '');
  return codes === undefined ? null : codes[out ? 'out' : 'in'];
}
