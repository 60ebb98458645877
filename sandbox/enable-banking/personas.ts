import { type Habit, type Movement, purchase } from './rows.ts';

/** One account of a persona. */
export type AccountPlan = {
  readonly key: string;
  readonly name: string;
  /** ISO 20022 cash account type. */
  readonly type: string;
  /** Default: the bank's. */
  readonly currency?: string;
  /** The account whose number this one has too. */
  readonly numberOf?: string;
  /** Signed decimal, negative = owed. */
  readonly opening: string;
  readonly limit?: string;
  readonly habit?: Habit;
  /** Exactly that many rows instead of a habit. */
  readonly rows?: number;
};

/** Someone who has the same accounts at every bank. */
export type Persona = {
  readonly customer: string;
  readonly name: string;
  readonly summary: string;
  readonly accounts: readonly AccountPlan[];
};

const household: Habit = (day, random) => {
  const movements: Movement[] = [];
  if (day.date === 25)
    movements.push({ cents: 312_450, party: 'Fjordwerke Oy', text: 'SALARY', code: 'RCDT' });
  if (day.date === 1)
    movements.push({ cents: -94_000, party: 'Maison Locative', text: 'RENT FLAT 3', code: 'ICDT' });
  if (day.date === 5)
    movements.push({ cents: -4990, party: 'Telnord', text: 'INVOICE 20-117', code: 'IDDT' });
  if (day.date === 26)
    movements.push({ cents: -30_000, party: 'Own account', text: 'TO SAVINGS', code: 'ICDT' });
  while (random.chance(0.45)) movements.push(purchase(random));
  return movements;
};

const saving: Habit = ({ date }) => [
  ...(date === 26 ? [{ cents: 30_000, party: 'Own account', text: 'TO SAVINGS', code: 'RCDT' }] : []),
  ...(date === 31 ? [{ cents: 1215, party: null, text: 'CREDIT INTEREST', code: 'INTR' }] : []),
];

const current: AccountPlan = {
  key: 'current',
  name: 'Current account',
  type: 'CACC',
  opening: '4200.00',
  habit: household,
};
const everyday: Habit = (_day, random) => (random.chance(0.4) ? [purchase(random)] : []);

/** The people who can sign in, in the order of the page. */
export const PERSONAS: readonly Persona[] = [
  {
    customer: 'household',
    name: 'Aino and Luca Virtanen',
    summary: 'Salary, rent, bills and cards: a current and a savings account',
    accounts: [
      current,
      { key: 'savings', name: 'Savings', type: 'SVGS', opening: '12300.00', habit: saving },
    ],
  },
  {
    customer: 'card-and-loan',
    name: 'Kim Novák',
    summary: 'A credit card and a mortgage',
    accounts: [
      {
        key: 'card',
        name: 'Credit card',
        type: 'CARD',
        opening: '-420.00',
        limit: '5000.00',
        habit: (day, random) => [
          ...(day.date === 18 ? [{ cents: 150_000, party: null, text: 'PAYMENT', code: 'RCDT' }] : []),
          ...(day.date === 2 ? [{ cents: -300, party: null, text: 'CARD FEE', code: 'CHRG' }] : []),
          ...(random.chance(0.5) ? [purchase(random)] : []),
        ],
      },
      {
        key: 'loan',
        name: 'Mortgage',
        type: 'LOAN',
        opening: '-215400.00',
        habit: ({ date }) => [
          ...(date === 15 ? [{ cents: 118_000, party: null, text: 'REPAYMENT', code: 'RCDT' }] : []),
          ...(date === 28 ? [{ cents: -61_230, party: null, text: 'INTEREST', code: 'INTR' }] : []),
        ],
      },
    ],
  },
  {
    customer: 'two-currencies',
    name: 'Noa Fischer',
    summary: 'Two currencies under one account number',
    accounts: [
      { ...current, key: 'eur', name: 'Euro', currency: 'EUR', habit: everyday },
      {
        key: 'usd',
        name: 'US dollar',
        type: 'CACC',
        currency: 'USD',
        numberOf: 'eur',
        opening: '900.00',
        habit: everyday,
      },
    ],
  },
  {
    customer: 'dormant',
    name: 'Terry Still',
    summary: 'An unused account: no rows at all',
    accounts: [{ key: 'old', name: 'Old account', type: 'CACC', opening: '12.34' }],
  },
];

/** Rows are addressed by 32-bit indexes; this leaves room and still exceeds any real statement. */
const MAX_ROWS = 50_000_000;

/**
 * A persona by its log-in; `rows:N` is a person with exactly N rows. A suffix after a plus sign makes another person
 * with the same habits and their own accounts. Null for anyone else.
 */
export function personaOf(customer: string): Persona | null {
  const [, who = '', other = ''] = /^([^+]+)(\+[\w-]{1,40})?$/.exec(customer) ?? [];
  const known = PERSONAS.find((persona) => persona.customer === who) ?? rowsPersona(who);
  return known === null ? null : { ...known, customer: `${who}${other}` };
}

function rowsPersona(customer: string): Persona | null {
  const rows = Number(/^rows:(\d{1,9})$/.exec(customer)?.[1]);
  if (!(rows > 0 && rows <= MAX_ROWS)) return null;
  const account = { key: `rows-${rows}`, name: 'Current account', type: 'CACC', opening: '100000.00', rows };
  return {
    customer,
    name: `${rows.toLocaleString('en-IE')} rows`,
    summary: 'One account with exactly so many booked rows over eighty days',
    accounts: [account],
  };
}
