/** A category of the default taxonomy. `claims`: provider category codes, separated by spaces. */
export interface TemplateCategory {
  readonly name: string;
  readonly icon: string;
  readonly claims: string;
}

export interface TemplateGroup {
  readonly name: string;
  readonly icon: string;
  /** Of the group and of everything in it. */
  readonly color: string;
  readonly categories: readonly TemplateCategory[];
}

const of = (icon: string, name: string, claims: string): TemplateCategory => ({ name, icon, claims });
const group = (
  icon: string,
  name: string,
  color: string,
  categories: readonly TemplateCategory[],
): TemplateGroup => ({ name, icon, color, categories });

/**
 * The default categories of an account record, in order (docs/categories.md#the-default-template). Every primary code
 * is claimed once, so every row that a bank has categorised resolves; a subcategory is claimed if people budget for it
 * separately. Payments of loans and cards are where the money goes: a card payment is a transfer, a mortgage is
 * housing.
 */
export const CATEGORY_TEMPLATE: readonly TemplateGroup[] = [
  group('💰', 'Income', '#2f9e44', [
    of('💼', 'Salary', 'INCOME_SALARY'),
    of('📈', 'Interest & Dividends', 'INCOME_INTEREST_EARNED INCOME_DIVIDENDS'),
    of('🧓', 'Benefits & Pension', 'INCOME_GOVERNMENT_BENEFITS INCOME_PENSION'),
    of('🧾', 'Tax Refund', 'INCOME_TAX_REFUND'),
    of('💵', 'Other Income', 'INCOME'),
  ]),
  group('🏠', 'Housing', '#1971c2', [
    of('🔑', 'Rent', 'RENT_AND_UTILITIES_RENT'),
    of('🏦', 'Mortgage', 'LOAN_PAYMENTS_MORTGAGE'),
    of('💡', 'Utilities', 'RENT_AND_UTILITIES'),
    of('📱', 'Phone & Internet', 'RENT_AND_UTILITIES_INTERNET RENT_AND_UTILITIES_TELEPHONE'),
    of('🔨', 'Home & Garden', 'HOME_IMPROVEMENT'),
  ]),
  group('🍽', 'Food', '#e8590c', [
    of('🛒', 'Groceries', 'FOOD_AND_DRINK_GROCERIES'),
    of('🍜', 'Eating Out', 'FOOD_AND_DRINK_RESTAURANT FOOD_AND_DRINK_FAST_FOOD'),
    of('☕', 'Coffee', 'FOOD_AND_DRINK_COFFEE'),
    of('🍷', 'Alcohol', 'FOOD_AND_DRINK_ALCOHOL'),
    of('🥪', 'Other Food & Drink', 'FOOD_AND_DRINK'),
  ]),
  group('🚆', 'Transport', '#0c8599', [
    of('⛽', 'Fuel', 'TRANSPORTATION_FUEL'),
    of('🚌', 'Public Transport', 'TRANSPORTATION_PUBLIC_TRANSIT'),
    of('🚕', 'Taxis & Rideshare', 'TRANSPORTATION_TAXIS_AND_RIDESHARE'),
    of('🅿', 'Parking & Tolls', 'TRANSPORTATION_PARKING TRANSPORTATION_TOLLS'),
    of('🔧', 'Car', 'SERVICES_AUTOMOTIVE LOAN_PAYMENTS_CAR'),
    of('🚲', 'Other Transport', 'TRANSPORTATION'),
  ]),
  group('🩺', 'Health', '#c2255c', [
    of('🏥', 'Medical', 'MEDICAL'),
    of('💊', 'Pharmacy', 'MEDICAL_PHARMACIES'),
    of('🏋', 'Fitness', 'PERSONAL_CARE_GYMS MERCHANDISE_SPORTING_GOODS'),
    of('💇', 'Personal Care', 'PERSONAL_CARE'),
  ]),
  group('🎈', 'Lifestyle', '#9c36b5', [
    of('🛍', 'Shopping', 'MERCHANDISE'),
    of('👕', 'Clothing', 'MERCHANDISE_CLOTHING'),
    of('🎟', 'Entertainment', 'ENTERTAINMENT'),
    of(
      '🎬',
      'Film, Music & Games',
      'ENTERTAINMENT_TV_AND_MOVIES ENTERTAINMENT_MUSIC_AND_AUDIO ENTERTAINMENT_VIDEO_GAMES',
    ),
    of('🎰', 'Gambling', 'ENTERTAINMENT_CASINOS_AND_GAMBLING'),
    of('✈', 'Travel', 'TRAVEL'),
    of('🎓', 'Children & Education', 'SERVICES_CHILDCARE SERVICES_EDUCATION'),
    of('🐾', 'Pets', 'MERCHANDISE_PET_SUPPLIES MEDICAL_VETERINARY'),
    of('🎁', 'Gifts & Donations', 'MERCHANDISE_GIFTS GOVERNMENT_AND_NON_PROFIT_DONATIONS'),
    of('🧰', 'Services', 'SERVICES'),
  ]),
  group('🏛', 'Financial', '#495057', [
    of('💳', 'Bank Fees', 'BANK_FEES'),
    of('📉', 'Interest Charged', 'BANK_FEES_INTEREST_CHARGE'),
    of('☂', 'Insurance', 'SERVICES_INSURANCE'),
    of('🤝', 'Loan Payments', 'LOAN_PAYMENTS'),
    of('⚖', 'Accounting & Legal', 'SERVICES_ACCOUNTING SERVICES_LEGAL'),
    of('📜', 'Tax & Government', 'GOVERNMENT_AND_NON_PROFIT'),
  ]),
  group('🔁', 'Transfers', '#868e96', [
    of('↔', 'Between Accounts', 'TRANSFER_IN_ACCOUNT_TRANSFER TRANSFER_OUT_ACCOUNT_TRANSFER'),
    of(
      '🐖',
      'Savings & Investments',
      'TRANSFER_IN_SAVINGS TRANSFER_IN_INVESTMENT TRANSFER_OUT_SAVINGS TRANSFER_OUT_INVESTMENT',
    ),
    of('🧮', 'Card Repayments', 'LOAN_PAYMENTS_CREDIT_CARD'),
    of('🏧', 'Cash Withdrawals', 'TRANSFER_OUT_WITHDRAWAL'),
    of('📥', 'Other Money In', 'TRANSFER_IN'),
    of('📤', 'Other Money Out', 'TRANSFER_OUT'),
  ]),
];

/** The default icons and colours of groups and categories; a category takes its group's colour. */
export const DEFAULT_LOOK = { groupIcon: '📁', categoryIcon: '🏷', color: '#868e96' } as const;

/** The codes a template category claims. */
export function claimsOf(category: TemplateCategory): readonly string[] {
  return category.claims.split(' ');
}
