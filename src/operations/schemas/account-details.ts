import { Type } from 'typebox';
import { livemode, nullable, resource } from './conventions.ts';

const text = nullable(Type.String());
const number = nullable(Type.Number());

const tier = resource('tier', {
  name: text,
  unit_of_measure: text,
  minimum_value: number,
  maximum_value: number,
  rate_application_method: text,
  additional_info: text,
});

const rateFields = {
  rate_type: text,
  rate: text,
  calculation_frequency: text,
  application_frequency: text,
  additional_value: text,
  additional_info: text,
  tiers: Type.Array(tier),
};

const lendingRateFields = {
  ...rateFields,
  comparison_rate: text,
  interest_payment_due: text,
  loan_purpose: text,
};

const fee = resource('fee', {
  name: text,
  fee_type: text,
  amount: text,
  balance_rate: text,
  transaction_rate: text,
  accrued_rate: text,
  accrual_frequency: text,
  currency: text,
  additional_value: text,
  additional_info: text,
});

const feature = resource('feature', { feature_type: text, additional_value: text, additional_info: text });

const loanDetails = resource('loan_details', {
  loan_end_date: text,
  repayment_type: text,
  repayment_frequency: text,
  next_instalment_date: text,
  min_instalment_amount: text,
  min_instalment_currency: text,
  max_redraw: text,
  max_redraw_currency: text,
  min_redraw: text,
  min_redraw_currency: text,
  original_loan_amount: text,
  original_loan_currency: text,
  original_start_date: text,
  offset_account_enabled: nullable(Type.Boolean()),
});

/** docs/resources.md#account-details. Rates are fractions and amounts decimals, both as text. */
export const accountDetailsSchema = resource('account_details', {
  object: Type.Literal('account_details'),
  account: Type.String(),
  product_name: text,
  deposit_rate: text,
  deposit_rates: Type.Array(resource('deposit_rate', rateFields)),
  lending_rate: text,
  lending_rates: Type.Array(resource('lending_rate', lendingRateFields)),
  fees: Type.Array(fee),
  features: Type.Array(feature),
  loan_details: nullable(loanDetails),
  livemode,
});
