import { Type } from 'typebox';
import { orNull, shape, textOrNull, uuid } from './conventions.ts';

const tier = shape({
  name: textOrNull,
  unitOfMeasure: textOrNull,
  minimumValue: orNull(Type.Number()),
  // Absent means unbounded.
  maximumValue: Type.Optional(Type.Number()),
  rateApplicationMethod: textOrNull,
  additionalInfo: textOrNull,
});

const rate = {
  rateType: textOrNull,
  rate: textOrNull,
  calculationFrequency: textOrNull,
  applicationFrequency: textOrNull,
  additionalValue: textOrNull,
  additionalInfo: textOrNull,
  tiers: Type.Array(tier),
};

const lendingRate = {
  ...rate,
  comparisonRate: textOrNull,
  interestPaymentDue: textOrNull,
  loanPurpose: textOrNull,
};

const fee = shape({
  name: textOrNull,
  feeType: textOrNull,
  amount: textOrNull,
  balanceRate: textOrNull,
  transactionRate: textOrNull,
  accruedRate: textOrNull,
  accrualFrequency: textOrNull,
  // Absent means AUD.
  currency: Type.Optional(Type.String()),
  additionalValue: textOrNull,
  additionalInfo: textOrNull,
});

const feature = shape({ featureType: textOrNull, additionalValue: textOrNull, additionalInfo: textOrNull });

const loanDetails = shape({
  loanEndDate: textOrNull,
  repaymentType: textOrNull,
  repaymentFrequency: textOrNull,
  nextInstalmentDate: textOrNull,
  minInstalmentAmount: textOrNull,
  minInstalmentCurrency: textOrNull,
  // Absent means no redraw.
  maxRedraw: Type.Optional(Type.String()),
  maxRedrawCurrency: textOrNull,
  minRedraw: textOrNull,
  minRedrawCurrency: textOrNull,
  originalLoanAmount: textOrNull,
  originalLoanCurrency: textOrNull,
  originalStartDate: textOrNull,
  offsetAccountEnabled: orNull(Type.Boolean()),
});

/** Rates are fractions and amounts decimals, both as text. */
export const accountDetailSchema = shape({
  accountId: uuid,
  productName: textOrNull,
  depositRate: textOrNull,
  depositRates: Type.Array(shape(rate)),
  lendingRate: textOrNull,
  lendingRates: Type.Array(shape(lendingRate)),
  fees: Type.Array(fee),
  features: Type.Array(feature),
  loanDetails: orNull(loanDetails),
});

export const accountDetailsSchema = shape({ data: Type.Array(accountDetailSchema) });
