import type { PrimaryCategory } from '../../../vocabulary/provider-categories.ts';

/** One of our codes: the primary, and the rest of the detailed code. */
type Code = readonly [primary: PrimaryCategory, suffix: string];

/** Up's categories by their id. Others have none of our codes; the parent says too little to choose one. */
const CODES: ReadonlyMap<string, Code> = new Map<string, Code>([
  ['adult', ['ENTERTAINMENT', 'OTHER']],
  ['booze', ['FOOD_AND_DRINK', 'ALCOHOL']],
  ['car-insurance-and-maintenance', ['SERVICES', 'AUTOMOTIVE']],
  ['car-repayments', ['LOAN_PAYMENTS', 'CAR']],
  ['clothing-and-accessories', ['MERCHANDISE', 'CLOTHING']],
  ['cycling', ['TRANSPORTATION', 'BIKES_AND_SCOOTERS']],
  ['education-and-student-loans', ['SERVICES', 'EDUCATION']],
  ['events-and-gigs', ['ENTERTAINMENT', 'EVENTS_PARKS_AND_MUSEUMS']],
  ['family', ['SERVICES', 'CHILDCARE']],
  ['fitness-and-wellbeing', ['PERSONAL_CARE', 'GYMS']],
  ['fuel', ['TRANSPORTATION', 'FUEL']],
  ['games-and-software', ['ENTERTAINMENT', 'VIDEO_GAMES']],
  ['gifts-and-charity', ['MERCHANDISE', 'GIFTS']],
  ['groceries', ['FOOD_AND_DRINK', 'GROCERIES']],
  ['hair-and-beauty', ['PERSONAL_CARE', 'HAIR_AND_BEAUTY']],
  ['health-and-medical', ['MEDICAL', 'OTHER']],
  ['hobbies', ['ENTERTAINMENT', 'OTHER']],
  ['holidays-and-travel', ['TRAVEL', 'OTHER']],
  ['home-insurance-and-rates', ['SERVICES', 'INSURANCE']],
  ['home-maintenance-and-improvements', ['HOME_IMPROVEMENT', 'REPAIR_AND_MAINTENANCE']],
  ['homeware-and-appliances', ['HOME_IMPROVEMENT', 'FURNITURE']],
  ['internet', ['RENT_AND_UTILITIES', 'INTERNET']],
  ['investments', ['TRANSFER_OUT', 'INVESTMENT']],
  ['life-admin', ['SERVICES', 'OTHER']],
  ['lottery-and-gambling', ['ENTERTAINMENT', 'CASINOS_AND_GAMBLING']],
  ['mobile-phone', ['RENT_AND_UTILITIES', 'TELEPHONE']],
  ['news-magazines-and-books', ['MERCHANDISE', 'BOOKS_AND_NEWS']],
  ['parking', ['TRANSPORTATION', 'PARKING']],
  ['pets', ['MERCHANDISE', 'PET_SUPPLIES']],
  ['public-transport', ['TRANSPORTATION', 'PUBLIC_TRANSIT']],
  ['pubs-and-bars', ['FOOD_AND_DRINK', 'ALCOHOL']],
  ['rent-and-mortgage', ['RENT_AND_UTILITIES', 'RENT']],
  ['restaurants-and-cafes', ['FOOD_AND_DRINK', 'RESTAURANT']],
  ['takeaway', ['FOOD_AND_DRINK', 'FAST_FOOD']],
  ['taxis-and-share-cars', ['TRANSPORTATION', 'TAXIS_AND_RIDESHARE']],
  ['technology', ['MERCHANDISE', 'ELECTRONICS']],
  ['tobacco-and-vaping', ['MERCHANDISE', 'TOBACCO_AND_VAPE']],
  ['toll-roads', ['TRANSPORTATION', 'TOLLS']],
  ['tv-and-music', ['ENTERTAINMENT', 'TV_AND_MOVIES']],
  ['utilities', ['RENT_AND_UTILITIES', 'GAS_AND_ELECTRICITY']],
]);

/** Ids of Up's categories in the table. */
export const KNOWN_CATEGORIES: readonly string[] = [...CODES.keys()];

export interface CategoryCodes {
  readonly primary: PrimaryCategory;
  /** The detailed code. */
  readonly code: string;
}

/** Our codes of a category; null for none, and for one that is not in the table. */
export function codesOf(category: string | null): CategoryCodes | null {
  const known = CODES.get(category ?? '');
  if (known === undefined) return null;
  const [primary, suffix] = known;
  return { primary, code: `${primary}_${suffix}` };
}

/** Our codes for money moved between a person's own accounts. */
export function codesOfTransfer(amount: number): CategoryCodes {
  const primary = amount < 0 ? 'TRANSFER_OUT' : 'TRANSFER_IN';
  return { primary, code: `${primary}_ACCOUNT_TRANSFER` };
}
