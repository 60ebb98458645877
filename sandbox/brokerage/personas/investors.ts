import { FERN, KOWHAI, MONEY_MARKET, RIMU, WORLD } from './instruments.ts';
import type { AccountPlan, Habit, Persona } from './plan.ts';

const SAVES: readonly Habit[] = [
  { day: 1, type: 'CONTRIBUTION', currency: 'USD', amount: '1500', description: 'ACH DEPOSIT' },
  {
    day: 3,
    type: 'BUY',
    instrument: WORLD,
    currency: 'USD',
    units: '4.2517',
    priceCents: 10_350,
    riseCents: 37,
    fee: '0.99',
    description: 'BOUGHT WHOLE WORLD INDEX ETF',
  },
  {
    day: 15,
    type: 'DIVIDEND',
    instrument: WORLD,
    currency: 'USD',
    amount: '12.3456',
    description: 'CASH DIV',
  },
  {
    day: 15,
    type: 'REI',
    instrument: WORLD,
    currency: 'USD',
    units: '0.119283',
    priceCents: 10_350,
    riseCents: 37,
    description: 'DIVIDEND REINVESTED',
  },
  { day: 20, type: 'FEE', currency: 'USD', amount: '-1.25', fee: '1.25', description: 'CUSTODY FEE' },
];

const BROKERAGE_ACCOUNT: AccountPlan = {
  key: 'individual',
  name: 'Individual',
  category: 'INVESTMENT',
  rawType: 'Individual',
  total: { amount: '48210.557', currency: 'USD' },
  cash: [{ currency: 'USD', cash: '2210.25', buyingPower: '2210.25' }],
  positions: [
    { instrument: WORLD, units: '312.4417', price: '118.2231', cost: '96.004517', currency: 'USD' },
    { instrument: KOWHAI, units: '40', price: '187.5', cost: '201.13', currency: 'USD' },
    {
      instrument: MONEY_MARKET,
      units: '1800.25',
      price: '1',
      cost: '1',
      currency: 'USD',
      cashEquivalent: true,
    },
  ],
  habits: SAVES,
};

const RETIREMENT: AccountPlan = {
  key: 'retirement',
  name: 'Roth IRA',
  category: 'INVESTMENT',
  rawType: 'IRA',
  total: { amount: '15002.4', currency: 'USD' },
  cash: [{ currency: 'USD', cash: '0.4', buyingPower: null }],
  positions: [{ instrument: RIMU, units: '150', price: '100.0133', cost: null, currency: null }],
  habits: [
    { day: 7, type: 'DIVIDEND', instrument: RIMU, currency: 'USD', amount: '8.1', description: 'CASH DIV' },
    { day: 28, type: 'TAX', currency: 'USD', amount: '-0.81', description: 'NRA TAX WITHHELD' },
  ],
};

/** Two accounts, as most people have. */
export const SELF_DIRECTED: Persona = {
  customer: 'self-directed',
  name: 'Sam Steady',
  summary: 'two accounts with funds, shares and dividends',
  accounts: [BROKERAGE_ACCOUNT, RETIREMENT],
};

export const MULTI_CURRENCY: Persona = {
  customer: 'multi-currency',
  name: 'Casey Border',
  summary: 'cash and shares in Canadian and US dollars',
  accounts: [
    {
      key: 'margin',
      name: null,
      category: null,
      rawType: 'Margin',
      total: null,
      cash: [
        { currency: 'CAD', cash: '-120.55', buyingPower: '5000' },
        { currency: 'USD', cash: '871.2', buyingPower: '3600.5' },
      ],
      positions: [
        { instrument: FERN, units: '25', price: '44.105', cost: '39.9', currency: 'CAD' },
        { instrument: KOWHAI, units: '3', price: '187.5', cost: '150', currency: 'USD' },
      ],
      habits: [
        {
          day: 5,
          type: 'BUY',
          instrument: FERN,
          currency: null,
          units: '1',
          priceCents: 4400,
          riseCents: 11,
          amount: null,
          description: 'FERN RAILWAYS',
        },
        { day: 9, type: 'INTEREST', currency: 'CAD', amount: '-0.42', description: 'DEBIT INTEREST' },
      ],
    },
  ],
};

export const CASH_ONLY: Persona = {
  customer: 'cash-only',
  name: 'Cleo Cash',
  summary: 'a cash account without positions',
  accounts: [
    {
      key: 'cash',
      name: 'Cash Account',
      category: 'DEPOSIT',
      rawType: 'Cash',
      total: { amount: '5000', currency: 'USD' },
      cash: [{ currency: 'USD', cash: '5000', buyingPower: '5000' }],
      positions: [],
      habits: [{ day: 2, type: 'INTEREST', currency: 'USD', amount: '4.17', description: 'CREDIT INTEREST' }],
    },
  ],
};

export const NO_TRANSACTIONS: Persona = {
  customer: 'no-transactions',
  name: 'Quinn Quiet',
  summary: 'positions without any history',
  accounts: [{ ...RETIREMENT, key: 'quiet', habits: [] }],
};

export const NO_ACCOUNTS: Persona = {
  customer: 'no-accounts',
  name: 'Nico New',
  summary: 'a login without any account',
  accounts: [],
};

/** Employers' plans that the vendor lists and cannot read. */
export const HIDDEN_HOLDINGS: Persona = {
  customer: 'hidden-holdings',
  name: 'Harper Hidden',
  summary: 'a pension whose holdings the broker does not show',
  accounts: [
    {
      key: 'pension',
      name: 'Employer 401(k)',
      category: 'INVESTMENT',
      rawType: '401k',
      total: { amount: '90210.01', currency: 'USD' },
      cash: [],
      positions: [],
      habits: [],
      hidden: true,
    },
  ],
};
