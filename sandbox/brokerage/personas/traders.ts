import { BITCOIN, CALL, FUTURE, KOWHAI, MINI_PUT, RIMU, TETHER, WORLD } from './instruments.ts';
import type { AccountPlan, Persona } from './plan.ts';

/** Contracts, coins and short sales. */
export const DERIVATIVES: Persona = {
  customer: 'derivatives',
  name: 'Devon Derivative',
  summary: 'options, a future, coins and a short position',
  accounts: [
    {
      key: 'margin',
      name: 'Margin',
      category: 'INVESTMENT',
      rawType: 'Margin',
      total: { amount: '12345.6789012345678', currency: 'USD' },
      cash: [{ currency: 'USD', cash: '100', buyingPower: '250.125' }],
      positions: [
        { instrument: CALL, units: '2', price: '12.35', cost: '980', currency: 'USD' },
        { instrument: MINI_PUT, units: '-1', price: '3.1', cost: '2.75', currency: 'USD' },
        { instrument: FUTURE, units: '1', price: '5123.25', cost: '5100', currency: 'USD' },
        { instrument: RIMU, units: '-12.5', price: '100.0133', cost: '104.2', currency: 'USD' },
        {
          instrument: BITCOIN,
          units: '0.012345678901234567',
          price: '61234.567890123',
          cost: '43210.1',
          currency: 'USD',
        },
        { instrument: TETHER, units: '250.5', price: '1.0001', cost: null, currency: 'USDT' },
      ],
      habits: [
        {
          day: 6,
          type: 'BUY',
          instrument: BITCOIN,
          currency: 'USD',
          units: '0.000123456789012345',
          priceCents: 6_123_457,
          description: 'BUY BTC',
        },
        {
          day: 8,
          type: 'BUY',
          instrument: CALL,
          currency: 'USD',
          units: '1',
          priceCents: 1235,
          amount: '-1235',
          description: 'BOUGHT TO OPEN',
        },
        {
          day: 11,
          type: 'SELL',
          instrument: BITCOIN,
          quote: TETHER,
          currency: null,
          units: '-0.0001',
          priceCents: 6_130_000,
          amount: '6.13',
          description: 'SELL BTC FOR USDT',
        },
        {
          day: 19,
          type: 'OPTIONEXPIRATION',
          instrument: CALL,
          currency: 'USD',
          units: '-1',
          amount: '0',
          description: 'EXPIRED',
        },
        {
          day: 22,
          type: 'STOCK_DIVIDEND',
          instrument: RIMU,
          currency: 'USD',
          units: '0.5',
          description: 'STOCK DIV',
        },
        { day: 24, type: 'SPLIT', instrument: RIMU, currency: 'USD', units: '10', description: 'SPLIT 2:1' },
        { day: 25, type: 'MOON_LANDING', currency: 'USD', amount: '0.01', description: 'UNKNOWN TO ANYBODY' },
      ],
    },
  ],
};

/** Equal executions at the same time, and times instead of days. */
export const DAY_TRADER: Persona = {
  customer: 'day-trader',
  name: 'Dana Quick',
  summary: 'several equal executions on one day',
  accounts: [
    {
      key: 'day',
      name: 'Day Trading',
      category: 'INVESTMENT',
      rawType: 'Margin',
      total: { amount: '30000', currency: 'USD' },
      cash: [{ currency: 'USD', cash: '1000', buyingPower: '4000' }],
      positions: [{ instrument: KOWHAI, units: '9', price: '187.5', cost: '187.4', currency: 'USD' }],
      habits: [
        {
          day: 10,
          time: '15:30:00',
          type: 'BUY',
          instrument: KOWHAI,
          currency: 'USD',
          units: '3',
          priceCents: 18_740,
          description: 'FILL',
          times: 3,
        },
        {
          day: 10,
          time: '02:15:00',
          type: 'SELL',
          instrument: KOWHAI,
          currency: 'USD',
          units: '-1',
          priceCents: 18_755,
          description: 'FILL',
          times: 2,
        },
      ],
    },
  ],
};

const PLAIN: AccountPlan = {
  key: 'plain',
  name: 'Individual',
  category: 'INVESTMENT',
  rawType: 'Individual',
  total: { amount: '1000', currency: 'USD' },
  cash: [{ currency: 'USD', cash: '1000', buyingPower: '1000' }],
  positions: [{ instrument: WORLD, units: '1', price: '100', cost: '90', currency: 'USD' }],
  habits: [{ day: 4, type: 'CONTRIBUTION', currency: 'USD', amount: '100', description: 'DEPOSIT' }],
};

/** A broker that asks for a code after the password. */
export const SECOND_FACTOR: Persona = {
  customer: 'second-factor',
  name: 'Sasha Safe',
  summary: 'signs in with a code',
  accounts: [PLAIN],
  signIn: 'second-factor',
};

/** The vendor's own names for sign-ins that fail, and for a broker that limits reads. */
export const REFUSED: readonly Persona[] = [
  {
    customer: 'invalid-credentials',
    name: 'Ivy Invalid',
    summary: 'the broker refuses the password',
    accounts: [],
    signIn: { errorCode: '1066' },
  },
  {
    customer: 'locked',
    name: 'Lou Locked',
    summary: 'the broker cannot be reached for this login',
    accounts: [],
    signIn: { errorCode: '3000' },
  },
  {
    customer: 'rate-limited',
    name: 'Remy Rationed',
    summary: 'connects, but reads are limited',
    accounts: [PLAIN],
    limited: true,
  },
];

/** A person with exactly that many rows. */
export function rowsPersona(count: number): Persona {
  return {
    customer: `rows:${count}`,
    name: `${count} rows`,
    summary: `${count} trades`,
    accounts: [{ ...PLAIN, key: 'rows', computedRows: count }],
  };
}
