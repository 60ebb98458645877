/** Where a person banks. */
export interface Organisation {
  readonly key: string;
  readonly name: string;
  readonly domain: string;
}

export interface AccountPlan {
  readonly key: string;
  readonly name: string;
  readonly organisation: Organisation;
  readonly currency: string;
  readonly openingCents: number;
  /** Of a day, that something is bought. */
  readonly activity: number;
  /** Cents paid in on the first of each month; 0 for nothing. */
  readonly income: number;
}

/** A lifestyle: the accounts that a person has connected at the bridge. */
export interface Persona {
  readonly logIn: string;
  readonly name: string;
  readonly accounts: readonly AccountPlan[];
  /** How many rows the first account has instead of those of a life; null for a life. */
  readonly rows: number | null;
}

const PRAIRIE: Organisation = { key: 'prairie', name: 'Prairie Credit Union', domain: 'prairiecu.example' };
const HARBOR: Organisation = {
  key: 'harbor',
  name: 'Harbor National Bank',
  domain: 'harbornational.example',
};
const MAPLE: Organisation = { key: 'maple', name: 'Maple Trust', domain: 'mapletrust.example' };

const plan = (
  key: string,
  name: string,
  organisation: Organisation,
  more: Partial<AccountPlan>,
): AccountPlan => ({
  key,
  name,
  organisation,
  currency: 'USD',
  openingCents: 250_000,
  activity: 0,
  income: 0,
  ...more,
});

const CHECKING = plan('checking', 'Everyday Checking (4021)', PRAIRIE, { activity: 0.8, income: 412_500 });
const SAVINGS = plan('savings', 'Share Savings (7715)', PRAIRIE, { income: 1_250, openingCents: 1_840_000 });
const CARD = plan('card', 'Harbor Visa Credit Card (9034)', HARBOR, { activity: 0.6, openingCents: -42_310 });
const CHEQUING = plan('chequing', 'Chequing (5512)', MAPLE, {
  currency: 'CAD',
  activity: 0.5,
  income: 298_000,
});

export const PERSONAS: readonly Persona[] = [
  { logIn: 'two-banks', name: 'Jordan', accounts: [CHECKING, SAVINGS, CARD], rows: null },
  { logIn: 'everyday', name: 'Casey', accounts: [CHECKING, SAVINGS], rows: null },
  { logIn: 'cards', name: 'Riley', accounts: [CARD, CHEQUING], rows: null },
  {
    logIn: 'quiet',
    name: 'Sam',
    accounts: [{ ...CHECKING, activity: 0, income: 1_250 }],
    rows: null,
  },
];

/** The log-in with which the demo links: with one institution, since each becomes a connection. */
export const DEFAULT_LOG_IN = 'everyday';
const ROWS = /^rows:(0|[1-9]\d{0,5})$/;
const OTHER_USER = /~[1-9]\d{0,5}$/;

/**
 * The persona of a log-in, or null. `name~2` is someone else who lives like `name`: another user of the bridge, with
 * accounts of their own.
 */
export function personaOf(logIn: string): Persona | null {
  const base = logIn.replace(OTHER_USER, '');
  const known = PERSONAS.find((one) => one.logIn === base);
  if (known !== undefined) return { ...known, logIn };
  const count = ROWS.exec(base)?.[1];
  if (count === undefined) return null;
  return { logIn, name: 'Max', accounts: [{ ...CHECKING, activity: 0, income: 0 }], rows: Number(count) };
}
