import type { Day } from '../rows/calendar.ts';
import { type Habit, type Movement, purchase } from '../rows/habits.ts';
import { ABROAD, HIGH_STREET } from '../rows/merchants.ts';
import type { AccountPlan, Persona } from './plan.ts';

const isPayday = (day: Day): boolean => day.number % 14 === 7;

const household: Habit = (day, random) => {
  const movements: Movement[] = [];
  if (isPayday(day))
    movements.push({
      cents: 318_450,
      type: 'DIRECT CREDIT',
      description: 'KERERU WORKS LTD SALARY',
      meta: { particulars: 'SALARY', code: 'FORTNIGHT', reference: `PAY ${day.number}` },
    });
  if (isPayday({ ...day, number: day.number - 1 }))
    movements.push({ cents: -40_000, type: 'TRANSFER', description: 'TRANSFER TO SAVINGS' });
  if (day.weekday === 3)
    movements.push({
      cents: -62_000,
      type: 'STANDING ORDER',
      description: 'RENT 12 ELM ST',
      category: 'RENT',
      meta: { particulars: 'RENT', reference: 'FLAT 3' },
    });
  if (day.date === 5)
    movements.push({ cents: -7900, type: 'DIRECT DEBIT', description: 'TELCO NORTH', category: 'TELCO' });
  if (day.date === 12)
    movements.push({ cents: -18_640, type: 'DIRECT DEBIT', description: 'BRIGHT POWER', category: 'POWER' });
  while (random.chance(0.45)) movements.push(purchase(HIGH_STREET, random, 'EFTPOS'));
  return movements;
};

const saving: Habit = (day) => [
  ...(isPayday({ ...day, number: day.number - 1 })
    ? [{ cents: 40_000, type: 'TRANSFER', description: 'TRANSFER FROM EVERYDAY' }]
    : []),
  ...(day.date === 1 ? [{ cents: 3120, type: 'INTEREST', description: 'CREDIT INTEREST' }] : []),
];

const everyday: AccountPlan = {
  key: 'everyday',
  name: 'Everyday',
  type: 'CHECKING',
  opening: '5200.00',
  habit: household,
};
const savings: AccountPlan = {
  key: 'savings',
  name: 'Rainy Day',
  type: 'SAVINGS',
  opening: '18450.00',
  habit: saving,
};
const card: AccountPlan = {
  key: 'card',
  name: 'Low Rate Visa',
  type: 'CREDITCARD',
  opening: '-640.00',
  limit: '12000.00',
  habit: (day, random) => [
    ...(day.date === 18 ? [{ cents: 222_500, type: 'PAYMENT', description: 'PAYMENT THANK YOU' }] : []),
    ...(day.date === 2 ? [{ cents: -500, type: 'FEE', description: 'CARD FEE' }] : []),
    ...(random.chance(0.55) ? [purchase(HIGH_STREET, random, 'CREDIT CARD')] : []),
  ],
};
const loan: AccountPlan = {
  key: 'loan',
  name: 'Home Loan',
  type: 'LOAN',
  opening: '-512300.00',
  habit: (day) => [
    ...(day.date === 15 ? [{ cents: 328_000, type: 'LOAN', description: 'LOAN REPAYMENT' }] : []),
    ...(day.date === 28 ? [{ cents: -238_412, type: 'INTEREST', description: 'LOAN INTEREST' }] : []),
  ],
};

function abroad(key: string, currency: string, name: string, opening: string, unit: number): AccountPlan {
  return {
    key,
    name,
    currency,
    type: 'FOREIGN',
    opening,
    habit: (_day, random) => (random.chance(0.3) ? [purchase(ABROAD, random, 'EFTPOS', unit)] : []),
  };
}

/** The people who can sign in, in the order of the page. */
export const PERSONAS: readonly Persona[] = [
  {
    customer: 'salaried-household',
    name: 'Aroha and Sam Taylor',
    summary: 'Salary, rent, bills and groceries: everyday and savings at Harakeke Bank',
    banks: [{ bank: 'harakeke', accounts: [everyday, savings] }],
  },
  {
    customer: 'card-and-loan',
    name: 'Casey Morgan',
    summary: 'A card and a home loan at each of two banks, one of which shows debt as a positive balance',
    banks: [
      { bank: 'harakeke', accounts: [card, loan] },
      { bank: 'rimu', accounts: [card, loan] },
    ],
  },
  {
    customer: 'three-banks',
    name: 'Morgan Ngata',
    summary: 'Everyday, card and savings at three banks; the third gives no transactions of one account',
    banks: [
      { bank: 'harakeke', accounts: [everyday] },
      { bank: 'rimu', accounts: [card] },
      {
        bank: 'kauri',
        accounts: [
          savings,
          { key: 'kiwisaver', name: 'Growth Fund', type: 'KIWISAVER', silent: true, opening: '41230.55' },
        ],
      },
    ],
  },
  {
    customer: 'foreign-currency',
    name: 'Noa Fischer',
    summary: 'A US dollar account and a yen account (whole yen only)',
    banks: [
      {
        bank: 'harakeke',
        accounts: [
          abroad('usd', 'USD', 'US Dollar Account', '60000.00', 1),
          abroad('jpy', 'JPY', 'Yen Account', '9000000', 100),
        ],
      },
    ],
  },
  {
    customer: 'dormant',
    name: 'Terry Still',
    summary: 'An unused account: no rows at all',
    banks: [
      {
        bank: 'harakeke',
        accounts: [{ key: 'old', name: 'Old Passbook', type: 'SAVINGS', opening: '12.34' }],
      },
    ],
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
  const account = { key: `rows-${rows}`, name: 'Everyday', type: 'CHECKING', opening: '100000.00', rows };
  return {
    customer,
    name: `${rows.toLocaleString('en-NZ')} rows`,
    summary: 'One account with exactly so many settled rows over five months',
    banks: [{ bank: 'harakeke', accounts: [account] }],
  };
}
