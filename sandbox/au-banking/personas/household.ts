import type { Day } from './calendar.ts';
import { GROCERS, HIGH_STREET } from './merchants.ts';
import { category, fastPayment, type Movement, type PendingHours, purchase } from './movement.ts';
import type { AccountPlan, Persona } from './plan.ts';
import { interest, monthlyFee, SAVER_RATES, TRANSACTION_FEATURES } from './product-terms.ts';

/** Every second Thursday, regardless of where the range of days begins. */
export function isPayday(day: Day): boolean {
  return day.number % 14 === 7;
}

const BILLS: readonly (Movement & { readonly date: number })[] = [
  {
    date: 5,
    minutes: 240,
    cents: -7900,
    type: 'DIRECT_DEBIT',
    description: 'TELCO NORTH DD 004411',
    reference: '20117733',
    category: category('RENT_AND_UTILITIES', 'INTERNET'),
    apcaNumber: '204417',
  },
  {
    date: 12,
    minutes: 245,
    cents: -18640,
    type: 'PAYMENT',
    description: 'BPAY BRIGHT ENERGY',
    reference: 'INTERNET BILL PAY',
    category: category('RENT_AND_UTILITIES', 'GAS_AND_ELECTRICITY'),
    biller: { code: '23796', name: 'Bright Energy', crn: '6001443920' },
  },
  {
    date: 20,
    minutes: 250,
    cents: -14275,
    type: 'DIRECT_DEBIT',
    description: 'FERN INSURANCE PREMIUM',
    reference: 'POL 88-20417',
    category: category('SERVICES', 'INSURANCE'),
    apcaNumber: '118840',
  },
];

/** Salary in, rent and bills out, groceries and small purchases between. */
export function householdDay(salaryCents: number, rentCents: number): NonNullable<AccountPlan['habit']> {
  return (day, random) => {
    const movements: Movement[] = [];
    if (isPayday(day)) {
      movements.push({
        minutes: 95,
        cents: salaryCents,
        type: 'TRANSFER_INCOMING',
        description: 'SALARY WATTLE WORKS PTY LTD',
        reference: `PAY ${day.iso}`,
        category: category('INCOME', 'SALARY'),
        extendedData: fastPayment(
          'WATTLE WORKS PTY LTD',
          `Salary for the fortnight to ${day.iso}`,
          `PAY${day.number}`,
        ),
      });
    }
    if (isPayday({ ...day, number: day.number - 1 })) {
      movements.push({
        minutes: 130,
        cents: -45000,
        type: 'TRANSFER_OUTGOING',
        description: 'TRANSFER TO SAVER',
        reference: 'Rainy day',
        category: category('TRANSFER_OUT', 'SAVINGS', 'HIGH'),
      });
    }
    if (day.weekday === 3 && rentCents > 0) {
      movements.push({
        minutes: 60,
        cents: -rentCents,
        type: 'TRANSFER_OUTGOING',
        description: 'RENT 12/40 ELM ST',
        reference: 'Unit 12',
        category: category('RENT_AND_UTILITIES', 'RENT'),
      });
    }
    for (const { date, ...bill } of BILLS) if (date === day.date) movements.push(bill);
    if (random.chance(0.45)) movements.push(purchase(random.pick(GROCERS), random));
    while (random.chance(0.4)) movements.push(purchase(random.pick(HIGH_STREET), random));
    return movements;
  };
}

export function everyday(
  key: string,
  opening: string,
  habit: NonNullable<AccountPlan['habit']>,
): AccountPlan {
  return {
    key,
    productCategory: 'TRANS_AND_SAVINGS_ACCOUNTS',
    displayName: 'Everyday Account',
    productName: 'Sandbox Everyday',
    product: () => ({ features: TRANSACTION_FEATURES, fees: [monthlyFee('Monthly account fee', '4.00')] }),
    terms: { opening },
    habit,
  };
}

export function saver(key: string, opening: string): AccountPlan {
  return {
    key,
    productCategory: 'TRANS_AND_SAVINGS_ACCOUNTS',
    displayName: 'Goal Saver',
    productName: 'Sandbox Goal Saver',
    nickname: 'Rainy day',
    product: () => ({ deposit_rate: '0.0175', deposit_rates: SAVER_RATES }),
    terms: { opening },
    habit: (day) => [
      ...(isPayday({ ...day, number: day.number - 1 })
        ? [
            {
              minutes: 130,
              cents: 45000,
              type: 'TRANSFER_INCOMING' as const,
              description: 'TRANSFER FROM EVERYDAY',
              reference: 'Rainy day',
              category: category('TRANSFER_IN', 'SAVINGS', 'HIGH'),
            },
          ]
        : []),
      ...interest(day, 3120),
    ],
  };
}

const PENDING_FOR_DAYS: PendingHours = [96, 190];

export const HOUSEHOLD: Persona = {
  customer: 'salaried-household',
  name: 'Alex and Sam Taylor',
  summary: 'Salary, rent, bills and groceries: everyday, savings and offset accounts',
  accounts: [
    everyday('everyday', '5200.00', householdDay(412350, 62000)),
    saver('savings', '18450.00'),
    {
      key: 'offset',
      productCategory: 'TRANS_AND_SAVINGS_ACCOUNTS',
      displayName: 'Offset Account',
      productName: 'Sandbox Offset',
      product: () => ({ features: [{ feature_type: 'OFFSET', is_activated: 'ACTIVATED' }] }),
      terms: { opening: '31000.00' },
      habit: (day) =>
        day.date === 1
          ? [
              {
                minutes: 30,
                cents: 60000,
                type: 'TRANSFER_INCOMING',
                description: 'STANDING TRANSFER',
                reference: 'Offset',
              },
            ]
          : [],
    },
  ],
};

export const PENDING_HEAVY: Persona = {
  customer: 'pending-heavy',
  name: 'Robin Quick',
  summary: 'Many card purchases that stay pending for days, some without any date',
  accounts: [
    {
      ...everyday('everyday', '640000.00', (_day, random) => {
        const count = random.int(4, 9);
        return Array.from({ length: count }, () => purchase(random.pick(HIGH_STREET), random));
      }),
      pendingHours: PENDING_FOR_DAYS,
    },
  ],
};
