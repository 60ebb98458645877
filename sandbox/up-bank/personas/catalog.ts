import { type AccountFacts, accountId } from '../customer.ts';
import type { Wallet } from './spending.ts';

/** A lifestyle: the accounts that a person has and what they do with them. */
export interface Persona {
  readonly logIn: string;
  readonly name: string;
  readonly accounts: readonly Omit<AccountFacts, 'openedAt'>[];
  /** What happens each day; null if nothing. */
  wallet(owner: string): Wallet | null;
}

type Facts = Omit<AccountFacts, 'openedAt'>;

const SPENDING: Facts = {
  key: 'spending',
  name: 'Spending',
  type: 'TRANSACTIONAL',
  ownership: 'INDIVIDUAL',
  openingCents: 184_212,
};
const SAVER: Facts = {
  key: 'saver',
  name: '🐷 Savings',
  type: 'SAVER',
  ownership: 'INDIVIDUAL',
  openingCents: 940_000,
};
const SHARED: Facts = {
  key: 'shared',
  name: '2Up Spending',
  type: 'TRANSACTIONAL',
  ownership: 'JOINT',
  openingCents: 61_040,
};
const HOME_LOAN: Facts = {
  key: 'home-loan',
  name: 'Home Loan',
  type: 'HOME_LOAN',
  ownership: 'INDIVIDUAL',
  openingCents: -48_000_000,
};

const living = (more: Partial<Record<'saver' | 'homeLoan', string>>, abroad = false): Persona['wallet'] => {
  return (owner) => ({
    owner,
    spending: accountId(owner, 'spending'),
    saver: more.saver === undefined ? null : accountId(owner, more.saver),
    homeLoan: more.homeLoan === undefined ? null : accountId(owner, more.homeLoan),
    abroad,
  });
};

export const PERSONAS: readonly Persona[] = [
  { logIn: 'everyday', name: 'Bobby', accounts: [SPENDING, SAVER], wallet: living({ saver: 'saver' }) },
  { logIn: 'two-up', name: 'Robin', accounts: [SPENDING, SAVER, SHARED], wallet: living({ saver: 'saver' }) },
  {
    logIn: 'home-loan',
    name: 'Sasha',
    accounts: [SPENDING, HOME_LOAN],
    wallet: living({ homeLoan: 'home-loan' }),
  },
  { logIn: 'traveller', name: 'Alex', accounts: [SPENDING], wallet: living({}, true) },
  { logIn: 'quiet', name: 'Kim', accounts: [SPENDING], wallet: () => null },
];

const ROWS = /^rows:(0|[1-9]\d{0,7})$/;

/** N of the log-in `rows:N`, up to about ten million; null for any other. */
export function rowCountOf(logIn: string): number | null {
  const count = ROWS.exec(logIn)?.[1];
  return count === undefined ? null : Number(count);
}

/** A person with only N rows. */
export const ROWS_ACCOUNT: Facts = { ...SPENDING, openingCents: 0 };
