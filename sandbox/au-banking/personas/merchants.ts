import type { NonEmpty } from '../../shared/random.ts';
import type { RowCategory } from '../rows/row.ts';

/** A place to spend money. `from` and `to` bound one purchase, in cents. All businesses are invented. */
export type Merchant = {
  readonly name: string;
  /** What the card slip shows. */
  readonly statement: string;
  readonly mcc: string;
  readonly category: RowCategory;
  readonly from: number;
  readonly to: number;
};

function merchant(
  name: string,
  statement: string,
  mcc: string,
  primary: string,
  detail: string,
  from: number,
  to: number,
  confidence: RowCategory['confidence_level'] = 'VERY_HIGH',
): Merchant {
  const category = {
    primary_category: primary,
    secondary_category: `${primary}_${detail}`,
    confidence_level: confidence,
  };
  return { name, statement, mcc, category, from, to };
}

export const GROCERS: NonEmpty<Merchant> = [
  merchant(
    'Banksia Fresh',
    'BANKSIA FRESH 0417 NEWTOWN NSW',
    '5411',
    'FOOD_AND_DRINK',
    'GROCERIES',
    1800,
    18900,
  ),
  merchant('Corner Pantry', 'CORNER PANTRY MARRICKVILLE', '5411', 'FOOD_AND_DRINK', 'GROCERIES', 650, 6400),
  merchant(
    'Greenbox Market',
    'GREENBOX MARKET ENMORE NSW',
    '5499',
    'FOOD_AND_DRINK',
    'GROCERIES',
    1200,
    9800,
    'HIGH',
  ),
];

export const HIGH_STREET: NonEmpty<Merchant> = [
  ...GROCERS,
  merchant('Two Birds Espresso', 'SQ *TWO BIRDS ESPRESSO', '5814', 'FOOD_AND_DRINK', 'COFFEE', 450, 1650),
  merchant('Lucky Noodle', 'LUCKY NOODLE HOUSE SYDNEY', '5812', 'FOOD_AND_DRINK', 'RESTAURANT', 1890, 9640),
  merchant('Pie & Co', 'PIE & CO 12 CENTRAL', '5814', 'FOOD_AND_DRINK', 'FAST_FOOD', 690, 2890),
  merchant('Old Cellar', 'OLD CELLAR BOTTLE SHOP', '5921', 'FOOD_AND_DRINK', 'ALCOHOL', 1599, 12900),
  merchant('Metro Tap', 'METRO TAP*TRAVEL SYDNEY', '4111', 'TRANSPORTATION', 'PUBLIC_TRANSIT', 320, 1920),
  merchant('Southern Fuel', 'SOUTHERN FUEL 2204', '5541', 'TRANSPORTATION', 'FUEL', 3500, 11900),
  merchant('Harbour Toll', 'HARBOUR TOLL TOPUP', '4784', 'TRANSPORTATION', 'TOLLS', 500, 4000),
  merchant(
    'Kerbside Parking',
    'KERBSIDE PARKING CBD',
    '7523',
    'TRANSPORTATION',
    'PARKING',
    400,
    3900,
    'HIGH',
  ),
  merchant('Dr Wattle Clinic', 'WATTLE MEDICAL CENTRE', '8011', 'MEDICAL', 'PRIMARY_CARE', 4200, 12900),
  merchant('Gumleaf Pharmacy', 'GUMLEAF PHARMACY 88', '5912', 'MEDICAL', 'PHARMACIES', 890, 7600),
  merchant('Iron Yard Gym', 'IRON YARD GYM', '7997', 'PERSONAL_CARE', 'GYMS', 1695, 2995),
  merchant('Salon Août', 'SALON AOÛT ERSKINEVILLE', '7230', 'PERSONAL_CARE', 'HAIR_AND_BEAUTY', 4500, 21900),
  merchant('Hammer Shed', 'HAMMER SHED TEMPE', '5251', 'HOME_IMPROVEMENT', 'HARDWARE', 950, 24900),
  merchant(
    'Loft & Lamp',
    'LOFT & LAMP ALEXANDRIA',
    '5712',
    'HOME_IMPROVEMENT',
    'FURNITURE',
    4900,
    89000,
    'MEDIUM',
  ),
  merchant('Paperback Row', 'PAPERBACK ROW', '5942', 'MERCHANDISE', 'BOOKS_AND_NEWS', 1299, 6500),
  merchant('Volt Electronics', 'VOLT ELECTRONICS 31', '5732', 'MERCHANDISE', 'ELECTRONICS', 1900, 149900),
  merchant('Thread & Co', 'THREAD & CO BONDI JCT', '5651', 'MERCHANDISE', 'CLOTHING', 2900, 24900),
  merchant(
    'Bay Online',
    'BAY ONLINE 1300 000 000 AU',
    '5999',
    'MERCHANDISE',
    'ONLINE_MARKETPLACES',
    990,
    19900,
    'MEDIUM',
  ),
  merchant('Star Picture House', 'STAR PICTURE HOUSE', '7832', 'ENTERTAINMENT', 'TV_AND_MOVIES', 1400, 6800),
  merchant('Reef Air', 'REEF AIR BOOKING 7HQX2', '4511', 'TRAVEL', 'FLIGHTS', 8900, 79900),
  merchant('Coast Inn', 'COAST INN BYRON BAY', '7011', 'TRAVEL', 'LODGING', 14900, 68000),
  merchant('Post Counter', 'POST COUNTER LEICHHARDT', '4215', 'SERVICES', 'POSTAGE', 120, 4900, 'LOW'),
];

/** Paid from abroad in another currency; used by the foreign currency accounts. */
export const ABROAD: NonEmpty<Merchant> = [
  merchant('Harlow Diner', 'HARLOW DINER NEW YORK NY', '5812', 'FOOD_AND_DRINK', 'RESTAURANT', 1200, 9000),
  merchant('喫茶 さくら', '喫茶さくら TOKYO JP', '5814', 'FOOD_AND_DRINK', 'COFFEE', 480, 2400),
  merchant('Skyline Hotel', 'SKYLINE HOTEL', '7011', 'TRAVEL', 'LODGING', 9900, 42000),
  merchant('Cloud Desk', 'CLOUD DESK SUBSCRIPTION', '5734', 'SERVICES', 'OTHER', 900, 12900, 'LOW'),
];
