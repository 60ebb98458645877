import { everyday, householdDay } from './household.ts';
import { HIGH_STREET } from './merchants.ts';
import { category, purchase } from './movement.ts';
import type { Persona } from './plan.ts';
import { interest, monthlyFee, rateFee } from './product-terms.ts';

export const MORTGAGE: Persona = {
  customer: 'mortgage-offset',
  name: 'Jordan Lee',
  summary: 'Home loan with a linked offset account',
  accounts: [
    {
      key: 'home-loan',
      productCategory: 'RESIDENTIAL_MORTGAGES',
      displayName: 'Home Loan',
      productName: 'Sandbox Variable Home Loan',
      product: (numbers) => ({
        specific_account_u_type: 'loan',
        lending_rate: '0.0614',
        lending_rates: [
          {
            lending_rate_type: 'VARIABLE',
            rate: '0.0614',
            comparison_rate: '0.0621',
            application_type: 'PERIODIC',
            application_frequency: 'P1M',
            calculation_frequency: 'P1D',
            interest_payment_due: 'IN_ARREARS',
            repayment_type: 'PRINCIPAL_AND_INTEREST',
            loan_purpose: 'OWNER_OCCUPIED',
          },
        ],
        loan: {
          original_start_date: numbers.dateFrom(-55),
          original_loan_amount: '540000.00',
          original_loan_currency: 'AUD',
          loan_end_date: numbers.dateFrom(305),
          next_instalment_date: numbers.dateFrom(1),
          min_instalment_amount: '3280.00',
          min_instalment_currency: 'AUD',
          max_redraw: '4100.00',
          max_redraw_currency: 'AUD',
          min_redraw: '500.00',
          min_redraw_currency: 'AUD',
          offset_account_enabled: true,
          offset_account_ids: [numbers.idOf('offset')],
          repayment_type: 'PRINCIPAL_AND_INTEREST',
          repayment_frequency: 'P1M',
        },
        fees: [monthlyFee('Package fee', '10.00')],
      }),
      terms: { opening: '-512300.00', headroom: null },
      habit: (day) => [
        ...(day.date === 15
          ? [
              {
                minutes: 90,
                cents: 328000,
                type: 'TRANSFER_INCOMING' as const,
                description: 'LOAN REPAYMENT',
                reference: 'HL 0042',
                category: category('LOAN_PAYMENTS', 'MORTGAGE'),
              },
            ]
          : []),
        ...interest(day, -238412),
      ],
    },
    {
      ...everyday('offset', '42000.00', (day, random) => [
        ...householdDay(536800, 0)(day, random),
        ...(day.date === 15
          ? [
              {
                minutes: 90,
                cents: -328000,
                type: 'TRANSFER_OUTGOING' as const,
                description: 'LOAN REPAYMENT',
                reference: 'HL 0042',
                category: category('LOAN_PAYMENTS', 'MORTGAGE'),
              },
            ]
          : []),
      ]),
      displayName: 'Offset Account',
      productName: 'Sandbox Offset',
      product: () => ({ features: [{ feature_type: 'OFFSET', is_activated: 'ACTIVATED' }] }),
    },
  ],
};

export const CREDIT_CARD: Persona = {
  customer: 'credit-card',
  name: 'Casey Morgan',
  summary: 'Credit card with purchases, a fee and monthly payments',
  accounts: [
    {
      key: 'card',
      productCategory: 'CRED_AND_CHRG_CARDS',
      displayName: 'Low Rate Card',
      productName: 'Sandbox Low Rate Mastercard',
      product: (numbers) => ({
        specific_account_u_type: 'creditCard',
        credit_card: {
          min_payment_amount: '48.00',
          payment_due_amount: '1290.40',
          payment_due_date: numbers.dateFrom(1),
          payment_currency: 'AUD',
        },
        lending_rates: [
          {
            lending_rate_type: 'PURCHASE',
            rate: '0.1399',
            application_type: 'PERIODIC',
            application_frequency: 'P1M',
            repayment_type: 'UNCONSTRAINED',
            loan_purpose: 'UNCONSTRAINED',
          },
        ],
        fees: [rateFee('Foreign transaction fee', '0.03'), monthlyFee('Card fee', '5.00')],
        features: [{ feature_type: 'INTEREST_FREE', additional_value: 'P55D', is_activated: 'UNKNOWN' }],
      }),
      terms: { opening: '-640.00', headroom: '12000.00', creditLimit: '12000.00' },
      habit: (day, random) => [
        ...(day.date === 18
          ? [
              {
                minutes: 80,
                cents: 222500,
                type: 'PAYMENT' as const,
                description: 'PAYMENT THANK YOU',
                reference: 'BPAY',
                category: category('LOAN_PAYMENTS', 'CREDIT_CARD'),
              },
            ]
          : []),
        ...(day.date === 2
          ? [
              {
                minutes: 0,
                midnight: true,
                cents: -500,
                type: 'FEE' as const,
                description: 'MONTHLY CARD FEE',
                category: category('BANK_FEES', 'OTHER'),
              },
            ]
          : []),
        ...(random.chance(0.55) ? [purchase(random.pick(HIGH_STREET), random)] : []),
      ],
    },
  ],
};

export const TERM_DEPOSIT: Persona = {
  customer: 'term-deposit',
  name: 'Morgan Ng',
  summary: 'One term deposit paying monthly interest',
  accounts: [
    {
      key: 'deposit',
      productCategory: 'TERM_DEPOSITS',
      displayName: '12 Month Term Deposit',
      productName: 'Sandbox Term Deposit',
      product: (numbers) => ({
        specific_account_u_type: 'termDeposit',
        term_deposit: [
          {
            lodgement_date: numbers.dateFrom(-7),
            maturity_date: numbers.dateFrom(5),
            maturity_amount: '52100.00',
            maturity_currency: 'AUD',
            maturity_instructions: 'ROLLED_OVER',
          },
        ],
        deposit_rate: '0.0420',
        deposit_rates: [
          {
            deposit_rate_type: 'FIXED',
            rate: '0.0420',
            application_type: 'MATURITY',
            application_frequency: 'P1M',
          },
        ],
      }),
      terms: { opening: '50000.00', headroom: null },
      habit: (day) => interest(day, 17500),
    },
  ],
};
