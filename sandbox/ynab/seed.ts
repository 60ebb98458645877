import { digest } from '../shared/random.ts';
import { currencyOf } from './currency.ts';
import { type HeldAccount, type HeldGroup, Plan } from './plan.ts';

/** The initial plans: one for each kind of currency. */
const PLANS = [
  ['Household', 'AUD'],
  ['Aotearoa', 'NZD'],
  ['Stateside', 'USD'],
  ['Europe', 'EUR'],
  ['Tokyo', 'JPY'],
  ['Kuwait', 'KWD'],
] as const;

const ACCOUNTS = [
  ['Everyday', 'checking', false],
  ['Savings', 'savings', false],
  ['Credit Card', 'creditCard', false],
  ['Old Account', 'checking', true],
] as const;

const GROUPS = [
  {
    name: 'Internal Master Category',
    kind: 'internal',
    categories: ['Inflow: Ready to Assign', 'Uncategorized'],
  },
  { name: 'Bills', kind: 'shown', categories: ['Rent', 'Electricity', 'Internet'] },
  { name: 'Everyday', kind: 'shown', categories: ['Groceries', 'Eating Out', 'Transport', 'Old Hobby'] },
  { name: 'Hidden Categories', kind: 'hidden', categories: ['Former Car'] },
] as const;
const HIDDEN = 'Old Hobby';

/** The one user. */
export const USER = uuidOf('user');

export function firstPlans(): Plan[] {
  return PLANS.map(([name, code]) => planOf(name, code));
}

/** A plan with four accounts, one of them closed, and some categories. */
export function planOf(name: string, code: string): Plan {
  return new Plan({
    id: uuidOf('plan', name),
    name,
    currency: currencyOf(code),
    accounts: ACCOUNTS.map(([account, type, closed]) => ({
      ...accountOf(uuidOf('account', name, account), account, type),
      closed,
    })),
    groups: GROUPS.map((group) => groupOf(name, group)),
  });
}

export function accountOf(id: string, name: string, type: string): HeldAccount {
  return { id, name, type, closed: false, deleted: false, transferPayee: uuidOf('transfer', id) };
}

function groupOf(plan: string, { name, kind, categories }: (typeof GROUPS)[number]): HeldGroup {
  return {
    id: uuidOf('group', plan, name),
    name,
    hidden: kind === 'hidden',
    internal: kind === 'internal',
    categories: categories.map((category) => ({
      id: uuidOf('category', plan, category),
      name: category,
      hidden: kind === 'hidden' || category === HIDDEN,
      deleted: false,
      internal: kind === 'internal',
    })),
  };
}

/** A UUID derived from the parts. */
export function uuidOf(...parts: readonly string[]): string {
  const hex = digest('ynab', ...parts);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
