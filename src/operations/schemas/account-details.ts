import { Type } from 'typebox';
import { currency, idOf, livemode, nullable, resource } from './conventions.ts';

const text = nullable(Type.String());
const number = nullable(Type.Number());
const code = nullable(currency);
/** No money objects, because a bank's own decimals are shown (docs/compatibility.md). */
const amount = nullable(Type.String({ description: 'Decimal text, in the currency beside it.' }));

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
  amount,
  balance_rate: text,
  transaction_rate: text,
  accrued_rate: text,
  accrual_frequency: text,
  currency: code,
  additional_value: text,
  additional_info: text,
});

const feature = resource('feature', { feature_type: text, additional_value: text, additional_info: text });

const loanDetails = resource('loan_details', {
  loan_end_date: text,
  repayment_type: text,
  repayment_frequency: text,
  next_instalment_date: text,
  min_instalment_amount: amount,
  min_instalment_currency: code,
  max_redraw: amount,
  max_redraw_currency: code,
  min_redraw: amount,
  min_redraw_currency: code,
  original_loan_amount: amount,
  original_loan_currency: code,
  original_start_date: text,
  offset_account_enabled: nullable(Type.Boolean()),
});

/** docs/resources.md#account-details. Rates are fractions and amounts decimals, both as text. */
export const accountDetailsSchema = resource('account_details', {
  object: Type.Literal('account_details'),
  account: idOf('account'),
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
