import type { Json, JsonObject } from '../../shared/json.ts';
import type { Day } from './calendar.ts';
import { category, type Movement } from './movement.ts';

export const TRANSACTION_FEATURES: Json = [
  { feature_type: 'CARD_ACCESS', is_activated: 'ACTIVATED' },
  { feature_type: 'NPP_PAYID', is_activated: 'ACTIVATED' },
  { feature_type: 'DIGITAL_WALLET', additional_info: 'Two wallets', is_activated: 'NOT_ACTIVATED' },
];

/** A fixed fee charged once a month. */
export function monthlyFee(name: string, amount: string): JsonObject {
  return {
    name,
    fee_type: 'PERIODIC',
    fee_method_u_type: 'fixedAmount',
    fixed_amount: { amount },
    currency: 'AUD',
    additional_value: 'P1M',
  };
}

/** A fee that is a share of each transaction. */
export function rateFee(name: string, rate: string): JsonObject {
  return {
    name,
    fee_type: 'TRANSACTION',
    fee_method_u_type: 'rateBased',
    rate_based: { rate_type: 'TRANSACTION', rate },
    currency: 'AUD',
  };
}

export const SAVER_RATES: Json = [
  {
    deposit_rate_type: 'VARIABLE',
    rate: '0.0175',
    application_type: 'PERIODIC',
    calculation_frequency: 'P1D',
    application_frequency: 'P1M',
  },
  {
    deposit_rate_type: 'BONUS',
    rate: '0.0310',
    application_type: 'PERIODIC',
    application_frequency: 'P1M',
    additional_info: 'When the balance grows in the month',
    tiers: [
      {
        name: 'Up to 250,000',
        unit_of_measure: 'DOLLAR',
        minimum_value: '0',
        maximum_value: '250000.00',
        rate_application_method: 'PER_TIER',
      },
      {
        name: 'Above 250,000',
        unit_of_measure: 'DOLLAR',
        minimum_value: '250000.01',
        rate_application_method: 'PER_TIER',
      },
    ],
  },
];

/** Interest on the last day of the month, dated at local midnight. */
export function interest(day: Day, cents: number): readonly Movement[] {
  if (day.date !== day.daysInMonth) return [];
  return [
    {
      minutes: 0,
      midnight: true,
      cents,
      type: cents < 0 ? 'INTEREST_CHARGED' : 'INTEREST_PAID',
      description: cents < 0 ? 'LOAN INTEREST' : 'CREDIT INTEREST',
      category: cents < 0 ? category('BANK_FEES', 'INTEREST_CHARGE') : category('INCOME', 'INTEREST_EARNED'),
    },
  ];
}
