import type { Static } from 'typebox';
import type { accountDetailsSchema } from '../schemas/account-details.ts';
import { exampleId } from './example-values.ts';
import type { ResourceWords } from './noun.ts';

const details: Static<typeof accountDetailsSchema> = {
  object: 'account_details',
  account: exampleId('account'),
  product_name: 'Everyday Saver',
  deposit_rate: '0.0425',
  deposit_rates: [
    {
      rate_type: 'VARIABLE',
      rate: '0.0425',
      calculation_frequency: 'P1D',
      application_frequency: 'P1M',
      additional_value: null,
      additional_info: null,
      tiers: [
        {
          name: 'Up to 250 000',
          unit_of_measure: 'DOLLAR',
          minimum_value: 0,
          maximum_value: 250_000,
          rate_application_method: 'PER_TIER',
          additional_info: null,
        },
      ],
    },
  ],
  lending_rate: null,
  lending_rates: [],
  fees: [
    {
      name: 'Monthly fee',
      fee_type: 'PERIODIC',
      amount: '5.00',
      balance_rate: null,
      transaction_rate: null,
      accrued_rate: null,
      accrual_frequency: null,
      currency: 'aud',
      additional_value: 'P1M',
      additional_info: null,
    },
  ],
  features: [{ feature_type: 'CARD_ACCESS', additional_value: 'Debit', additional_info: null }],
  loan_details: null,
  livemode: true,
};

export const accountDetailsWords: ResourceWords = {
  description:
    'The product behind an account. Often empty or null in part, because banks vary in what they supply.',
  fields: {
    deposit_rate: 'The headline rate as a fraction: 0.05 means 5%.',
    lending_rate: 'The headline rate as a fraction.',
    loan_details: 'Loan accounts only.',
  },
  example: details,
};
