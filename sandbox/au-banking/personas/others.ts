import { everyday } from './household.ts';
import { ABROAD, HIGH_STREET } from './merchants.ts';
import { category, fastPayment, type Movement, purchase } from './movement.ts';
import type { AccountPlan, Persona } from './plan.ts';
import { interest, monthlyFee } from './product-terms.ts';

const CLIENTS = ['BLUE DOOR STUDIO', 'O’HARA & DAUGHTERS', 'MIRA FOODS PTY LTD'] as const;

export const SOLE_TRADER: Persona = {
  customer: 'sole-trader',
  name: 'Priya Nair Design',
  summary: 'Sole trader: invoices paid in, business costs and tax out',
  accounts: [
    {
      ...everyday('business', '9800.00', (day, random) => {
        const movements: Movement[] = [];
        if (day.weekday <= 5 && random.chance(0.22)) {
          const invoice = `INV-${day.number}`;
          const client = random.pick(CLIENTS);
          movements.push({
            minutes: random.int(540, 1020),
            cents: random.int(40000, 480000),
            type: 'TRANSFER_INCOMING',
            description: `FAST PAYMENT FROM ${client}`,
            reference: invoice,
            category: category('INCOME', 'OTHER', 'MEDIUM'),
            extendedData: fastPayment(client, `Invoice ${invoice}`, invoice),
          });
        }
        if (day.date === 28 && day.month % 3 === 1) {
          movements.push({
            minutes: 600,
            cents: -random.int(180000, 320000),
            type: 'PAYMENT',
            description: 'BPAY TAX OFFICE PAYMENTS',
            reference: 'BAS',
            category: category('GOVERNMENT_AND_NON_PROFIT', 'TAX_PAYMENT'),
            biller: { code: '75556', name: 'Tax Office Payments', crn: '4004002210011' },
          });
        }
        if (day.date === 3) {
          movements.push({
            minutes: 0,
            midnight: true,
            cents: -1000,
            type: 'FEE',
            description: 'MONTHLY ACCOUNT FEE',
            category: category('BANK_FEES', 'OTHER'),
          });
        }
        while (random.chance(0.35)) movements.push(purchase(random.pick(HIGH_STREET), random));
        return movements;
      }),
      displayName: 'Business Transaction Account',
      productName: 'Sandbox Business',
      product: () => ({ fees: [monthlyFee('Monthly account fee', '10.00')] }),
    },
    {
      key: 'tax',
      productCategory: 'TRANS_AND_SAVINGS_ACCOUNTS',
      displayName: 'Business Saver',
      productName: 'Sandbox Business Saver',
      nickname: 'Tax set aside',
      terms: { opening: '14200.00' },
      habit: (day) => interest(day, 2214),
    },
  ],
};

function abroad(key: string, currency: string, name: string, opening: string, unit: number): AccountPlan {
  return {
    key,
    currency,
    productCategory: 'TRAVEL_CARDS',
    displayName: name,
    productName: 'Sandbox Foreign Currency',
    terms: { opening },
    habit: (_day, random) => (random.chance(0.3) ? [purchase(random.pick(ABROAD), random, unit)] : []),
  };
}

export const FOREIGN: Persona = {
  customer: 'foreign-currency',
  name: 'Noa Fischer',
  summary: 'A US dollar account and a yen account (whole yen only)',
  accounts: [
    abroad('usd', 'USD', 'US Dollar Account', '60000.00', 1),
    abroad('jpy', 'JPY', 'Yen Account', '9000000.00', 100),
  ],
};

export const DORMANT: Persona = {
  customer: 'dormant',
  name: 'Terry Still',
  summary: 'An unused account: no rows at all',
  accounts: [
    {
      key: 'dormant',
      productCategory: 'TRANS_AND_SAVINGS_ACCOUNTS',
      displayName: 'Old Passbook',
      productName: 'Sandbox Passbook',
      terms: { opening: '12.34' },
    },
  ],
};

/** A customer with one account of exactly `count` computed rows. */
export function rowsPersona(customer: string, count: number): Persona {
  return {
    customer,
    name: `${count.toLocaleString('en-AU')} rows`,
    summary: `One account with exactly ${count.toLocaleString('en-AU')} posted rows over five months`,
    accounts: [
      {
        key: `rows-${count}`,
        productCategory: 'TRANS_AND_SAVINGS_ACCOUNTS',
        displayName: 'Everyday Account',
        productName: 'Sandbox Everyday',
        terms: { opening: '100000.00' },
        computedRows: count,
      },
    ],
  };
}
