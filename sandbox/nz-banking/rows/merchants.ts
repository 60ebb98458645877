import type { NonEmpty } from '../../shared/random.ts';
import type { CategoryKey } from './categories.ts';

/** A place to spend money. `from` and `to` bound one purchase, in cents. All businesses are invented. */
export type Merchant = {
  readonly name: string;
  /** What the statement shows. */
  readonly statement: string;
  readonly category: CategoryKey;
  readonly from: number;
  readonly to: number;
};

export const HIGH_STREET: NonEmpty<Merchant> = [
  {
    name: 'Pūriri Fresh',
    statement: 'PURIRI FRESH 14 PONSONBY',
    category: 'GROCERIES',
    from: 1800,
    to: 18_900,
  },
  { name: 'Corner Dairy', statement: 'CORNER DAIRY NEWTOWN', category: 'GROCERIES', from: 300, to: 3400 },
  { name: 'Two Tūī Espresso', statement: 'SQ *TWO TUI ESPRESSO', category: 'CAFES', from: 450, to: 1650 },
  {
    name: 'Harbour Noodles',
    statement: 'HARBOUR NOODLES WELLINGTON',
    category: 'CAFES',
    from: 1600,
    to: 8200,
  },
  { name: 'Southern Fuel', statement: 'SOUTHERN FUEL 2204', category: 'FUEL', from: 3500, to: 14_900 },
  { name: 'Kerbside Cabs', statement: 'KERBSIDE CABS AKL', category: 'TAXIS', from: 900, to: 6400 },
  { name: 'Hammer Shed', statement: 'HAMMER SHED PETONE', category: 'HARDWARE', from: 950, to: 24_900 },
  { name: 'Fern Pharmacy', statement: 'FERN PHARMACY 88', category: 'PHARMACIES', from: 890, to: 7600 },
  { name: 'Paperback Row', statement: 'PAPERBACK ROW', category: 'BOOKS', from: 1299, to: 6500 },
  { name: 'Iron Yard Gym', statement: 'IRON YARD GYM', category: 'GYMS', from: 1695, to: 2995 },
];

/** Paid from abroad, for the foreign currency accounts. */
export const ABROAD: NonEmpty<Merchant> = [
  { name: 'Harlow Diner', statement: 'HARLOW DINER NEW YORK NY', category: 'CAFES', from: 1200, to: 9000 },
  { name: '喫茶 さくら', statement: '喫茶さくら TOKYO JP', category: 'CAFES', from: 480, to: 2400 },
  { name: 'Skyline Hotel', statement: 'SKYLINE HOTEL', category: 'HOTELS', from: 9900, to: 42_000 },
];
