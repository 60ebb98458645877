import type { RowCategory } from './rows/row.ts';

/** The sixteen primary categories of the vendor's enrichment. */
export const PRIMARY_CATEGORIES = [
  'BANK_FEES',
  'ENTERTAINMENT',
  'FOOD_AND_DRINK',
  'GOVERNMENT_AND_NON_PROFIT',
  'HOME_IMPROVEMENT',
  'INCOME',
  'LOAN_PAYMENTS',
  'MEDICAL',
  'MERCHANDISE',
  'PERSONAL_CARE',
  'RENT_AND_UTILITIES',
  'SERVICES',
  'TRANSFER_IN',
  'TRANSFER_OUT',
  'TRANSPORTATION',
  'TRAVEL',
] as const;

/** The primary category of a secondary code, by its longest prefix; null if there is none. */
export function primaryOf(secondary: string): string | null {
  const owners = PRIMARY_CATEGORIES.filter((primary) => secondary.startsWith(`${primary}_`));
  return owners.sort((a, b) => b.length - a.length)[0] ?? null;
}

/** A correction by the person is taken as certain. */
export function correctedCategory(secondary: string): RowCategory {
  const primary = primaryOf(secondary) ?? secondary;
  return { primary_category: primary, secondary_category: secondary, confidence_level: 'VERY_HIGH' };
}
