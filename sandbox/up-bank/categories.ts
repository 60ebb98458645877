/** Up's categories: those below each of the four parents. */
export const CHILDREN = {
  'good-life': [
    'adult',
    'booze',
    'events-and-gigs',
    'games-and-software',
    'hobbies',
    'holidays-and-travel',
    'lottery-and-gambling',
    'pubs-and-bars',
    'restaurants-and-cafes',
    'takeaway',
    'tobacco-and-vaping',
    'tv-and-music',
  ],
  home: [
    'groceries',
    'home-insurance-and-rates',
    'home-maintenance-and-improvements',
    'homeware-and-appliances',
    'internet',
    'pets',
    'rent-and-mortgage',
    'utilities',
  ],
  personal: [
    'clothing-and-accessories',
    'education-and-student-loans',
    'family',
    'fitness-and-wellbeing',
    'gifts-and-charity',
    'hair-and-beauty',
    'health-and-medical',
    'investments',
    'life-admin',
    'mobile-phone',
    'news-magazines-and-books',
    'technology',
  ],
  transport: [
    'car-insurance-and-maintenance',
    'car-repayments',
    'cycling',
    'fuel',
    'parking',
    'public-transport',
    'taxis-and-share-cars',
    'toll-roads',
  ],
} as const;

const PARENTS = new Map<string, string>(
  Object.entries(CHILDREN).flatMap(([parent, children]) => children.map((child) => [child, parent] as const)),
);

/** The parent of a category; null for a parent, and for an unknown one. */
export function parentOf(category: string): string | null {
  return PARENTS.get(category) ?? null;
}

/** Whether a category exists, as a parent or below one. */
export function isCategory(category: string): boolean {
  return Object.hasOwn(CHILDREN, category) || PARENTS.has(category);
}

/** Every category, each parent before what is below it. */
export const CATEGORIES: readonly string[] = Object.entries(CHILDREN).flatMap(([parent, children]) => [
  parent,
  ...children,
]);

/** As shown in the app. */
export function categoryName(category: string): string {
  const words = category
    .split('-')
    .map((word) => (word === 'and' ? '&' : word.charAt(0).toUpperCase() + word.slice(1)));
  return words.join(' ');
}
