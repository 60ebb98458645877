import type { Transaction } from './transactions.ts';

/**
 * The category codes of bank rows: sixteen primaries and their subcategories. The vendor's own list of subcategories is
 * not public; this one follows the taxonomy from which its published codes come, so that codes seen in practice are in
 * it. Any other code resolves through its primary.
 */
export interface ProviderCategory {
  readonly code: string;
  readonly label: string;
  /** Code of the primary; null for a primary. */
  readonly parent: string | null;
}

const PRIMARIES = {
  BANK_FEES: 'Bank Fees',
  ENTERTAINMENT: 'Entertainment',
  FOOD_AND_DRINK: 'Food & Drink',
  GOVERNMENT_AND_NON_PROFIT: 'Government & Non-Profit',
  HOME_IMPROVEMENT: 'Home Improvement',
  INCOME: 'Income',
  LOAN_PAYMENTS: 'Loan Payments',
  MEDICAL: 'Medical',
  MERCHANDISE: 'Merchandise',
  PERSONAL_CARE: 'Personal Care',
  RENT_AND_UTILITIES: 'Rent & Utilities',
  SERVICES: 'Services',
  TRANSFER_IN: 'Transfer In',
  TRANSFER_OUT: 'Transfer Out',
  TRANSPORTATION: 'Transportation',
  TRAVEL: 'Travel',
} as const;

export type PrimaryCategory = keyof typeof PRIMARIES;

/** What follows the primary's code and an underscore. */
const SUFFIXES: Record<PrimaryCategory, string> = {
  BANK_FEES: 'ATM_FEES FOREIGN_TRANSACTION_FEES INSUFFICIENT_FUNDS INTEREST_CHARGE OVERDRAFT_FEES OTHER',
  ENTERTAINMENT:
    'CASINOS_AND_GAMBLING MUSIC_AND_AUDIO EVENTS_PARKS_AND_MUSEUMS TV_AND_MOVIES VIDEO_GAMES OTHER',
  FOOD_AND_DRINK: 'ALCOHOL COFFEE FAST_FOOD GROCERIES RESTAURANT OTHER',
  GOVERNMENT_AND_NON_PROFIT: 'DONATIONS GOVERNMENT_DEPARTMENTS TAX_PAYMENT OTHER',
  HOME_IMPROVEMENT: 'FURNITURE HARDWARE REPAIR_AND_MAINTENANCE SECURITY OTHER',
  INCOME: 'SALARY INTEREST_EARNED DIVIDENDS GOVERNMENT_BENEFITS PENSION TAX_REFUND OTHER',
  LOAN_PAYMENTS: 'CAR CREDIT_CARD MORTGAGE PERSONAL_LOAN STUDENT_LOAN OTHER',
  MEDICAL: 'DENTAL_CARE EYE_CARE PHARMACIES PRIMARY_CARE VETERINARY OTHER',
  MERCHANDISE:
    'BOOKS_AND_NEWS CLOTHING DEPARTMENT_STORES ELECTRONICS GIFTS OFFICE_SUPPLIES ONLINE_MARKETPLACES PET_SUPPLIES SPORTING_GOODS TOBACCO_AND_VAPE OTHER',
  PERSONAL_CARE: 'GYMS HAIR_AND_BEAUTY LAUNDRY OTHER',
  RENT_AND_UTILITIES: 'GAS_AND_ELECTRICITY INTERNET RENT TELEPHONE WASTE WATER OTHER',
  SERVICES: 'ACCOUNTING AUTOMOTIVE CHILDCARE LEGAL EDUCATION INSURANCE POSTAGE STORAGE OTHER',
  TRANSFER_IN: 'ACCOUNT_TRANSFER DEPOSIT SAVINGS INVESTMENT LOAN_ADVANCE OTHER',
  TRANSFER_OUT: 'ACCOUNT_TRANSFER SAVINGS INVESTMENT WITHDRAWAL OTHER',
  TRANSPORTATION: 'FUEL PARKING PUBLIC_TRANSIT TAXIS_AND_RIDESHARE TOLLS BIKES_AND_SCOOTERS OTHER',
  TRAVEL: 'FLIGHTS LODGING RENTAL_CARS OTHER',
};

const ACRONYMS: ReadonlySet<string> = new Set(['ATM', 'TV']);

export function isPrimaryCategory(code: string): code is PrimaryCategory {
  return Object.hasOwn(PRIMARIES, code);
}

export const PRIMARY_CATEGORIES: readonly PrimaryCategory[] =
  Object.keys(PRIMARIES).filter(isPrimaryCategory);

export function primaryLabel(code: PrimaryCategory): string {
  return PRIMARIES[code];
}

/** Every code, each primary followed by its subcategories. */
export const PROVIDER_CATEGORIES: readonly ProviderCategory[] = PRIMARY_CATEGORIES.flatMap((primary) => [
  { code: primary, label: PRIMARIES[primary], parent: null },
  ...SUFFIXES[primary].split(' ').map((suffix) => ({
    code: `${primary}_${suffix}`,
    label: suffix === 'OTHER' ? `Other ${PRIMARIES[primary]}` : labelOf(suffix),
    parent: primary,
  })),
]);

const LABELS: ReadonlyMap<string, string> = new Map(
  PROVIDER_CATEGORIES.map(({ code, label }) => [code, label]),
);

/** The name of a code; the code itself if it is not in the list. */
export function codeLabel(code: string): string {
  return LABELS.get(code) ?? code;
}

/** Whether a code is another one or belongs to it: `FOOD_AND_DRINK_COFFEE` is within `FOOD_AND_DRINK`. */
export function isWithinCode(code: string, outer: string): boolean {
  return code === outer || code.startsWith(`${outer}_`);
}

/** The primary a code belongs to, also for a subcategory this list does not have; null for anything else. */
export function primaryCategoryOf(code: string): PrimaryCategory | null {
  if (isPrimaryCategory(code)) return code;
  return PRIMARY_CATEGORIES.find((primary) => code.startsWith(`${primary}_`)) ?? null;
}

function labelOf(suffix: string): string {
  const words = suffix.split('_').map((word) => {
    if (word === 'AND') return '&';
    return ACRONYMS.has(word) ? word : word.charAt(0) + word.slice(1).toLowerCase();
  });
  return words.join(' ');
}

/**
 * The category a row resolves to (docs/categories.md): the one that claims its subcategory code, or else the one that
 * claims its primary code, or else null. `claims`: which category claims each code. Pure.
 */
export function resolveCategory<C>(
  row: Pick<Transaction, 'provider_category' | 'primary_category'>,
  claims: ReadonlyMap<string, C>,
): C | null {
  const { provider_category: code, primary_category } = row;
  const own = code === null ? undefined : claims.get(code);
  if (own !== undefined) return own;
  const primary = primary_category ?? (code === null ? null : primaryCategoryOf(code));
  return (primary === null ? undefined : claims.get(primary)) ?? null;
}
