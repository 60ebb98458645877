import type { JsonObject } from '../../shared/json.ts';

/** Some categories of the NZFCC, as the vendor writes them. */
const LIST = {
  CAFES: [
    'nzfcc_ckouvvyw1004408mlhy158i7j',
    'Cafes and restaurants',
    'group_clasr0ysw0011hk4m6hlk9fq0',
    'Lifestyle',
  ],
  FUEL: ['nzfcc_ckouvvytq003o08mlbcy57jft', 'Fuel stations', 'group_clasr0ysw000whk4m577xhmf3', 'Transport'],
  GROCERIES: [
    'nzfcc_ckouvvy84001608ml5p6z4d8j',
    'Supermarkets and grocery stores',
    'group_clasr0ysw000xhk4mf7mg2j1z',
    'Food',
  ],
  HARDWARE: [
    'nzfcc_ckouvvxz8000n08ml5gcoffpm',
    'Hardware equipment and supplies',
    'group_clasr0ysw000uhk4m20nvc6m1',
    'Household',
  ],
  PHARMACIES: ['nzfcc_ckouvvyn3002s08mle90qdtmo', 'Pharmacies', 'group_clasr0ysw000yhk4mddaobwu7', 'Health'],
  POWER: [
    'nzfcc_clahc65qk000008jt7nug6ag9',
    'Electricity services',
    'group_clasr0ysw000vhk4m46ce9nrt',
    'Utilities',
  ],
  RENT: [
    'nzfcc_cl2pae1ns000009jt55t2cdir',
    'Rent for permanent accommodation',
    'group_clasr0ysw000thk4mefilhht7',
    'Housing',
  ],
  TELCO: [
    'nzfcc_ckouvvz0y004t08ml8zey1jiv',
    'Telecommunication services',
    'group_clasr0ysw000vhk4m46ce9nrt',
    'Utilities',
  ],
  TAXIS: [
    'nzfcc_ckouvvyxm004c08mlexbea79o',
    'Taxi, rideshare, and on-demand transport services',
    'group_clasr0ysw000whk4m577xhmf3',
    'Transport',
  ],
  HOTELS: [
    'nzfcc_ckouvvyux003x08mlgwyo6uq6',
    'Hotels, motels, and other temporary accommodation',
    'group_clasr0ysw0011hk4m6hlk9fq0',
    'Lifestyle',
  ],
  BOOKS: ['nzfcc_ckouvvyjq002g08mlc0h7f3ke', 'Book stores', 'group_clasr0ysw000zhk4m0cru14rw', 'Education'],
  GYMS: [
    'nzfcc_ckouvvywj004608mlho382gvn',
    'Gyms, fitness, aquatic facilities, yoga, pilates',
    'group_clasr0ysw000yhk4mddaobwu7',
    'Health',
  ],
} as const;

export type CategoryKey = keyof typeof LIST;

/** A category in the form of rows and of the list of categories. */
export function categoryJson(key: CategoryKey): JsonObject {
  const [id, name, groupId, group] = LIST[key];
  return { _id: id, name, groups: { personal_finance: { _id: groupId, name: group } } };
}

/** The vendor has some two hundred; these are the ones used here. */
export function categoriesJson(): readonly JsonObject[] {
  return CATEGORY_KEYS.map(categoryJson);
}

/** Every key of a category here. */
export const CATEGORY_KEYS: readonly CategoryKey[] = [
  'CAFES',
  'FUEL',
  'GROCERIES',
  'HARDWARE',
  'PHARMACIES',
  'POWER',
  'RENT',
  'TELCO',
  'TAXIS',
  'HOTELS',
  'BOOKS',
  'GYMS',
];
