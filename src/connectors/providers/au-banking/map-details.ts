import { isDecimal } from '../../../vocabulary/money.ts';
import { inner, list, member, text, type WireObject } from '../kit/json.ts';
import type {
  ProviderAccountDetails,
  ProviderFeature,
  ProviderFee,
  ProviderLoan,
  ProviderRate,
  ProviderTier,
} from '../provider-contract.ts';

/** Product details of an account row. Banks fill these unevenly: what is missing or malformed is null. */
export function mapDetails(row: WireObject): ProviderAccountDetails {
  const loan = inner(row, 'loan');
  return {
    productName: text(row, 'product_name', 'productName'),
    depositRate: text(row, 'deposit_rate', 'depositRate'),
    depositRates: list(row, 'deposit_rates', 'depositRates').map(rate),
    lendingRate: text(row, 'lending_rate', 'lendingRate'),
    lendingRates: list(row, 'lending_rates', 'lendingRates').map(rate),
    fees: list(row, 'fees').map(fee),
    features: list(row, 'features').map(feature),
    loan: loan === null ? null : mapLoan(loan),
  };
}

function rate(row: WireObject): ProviderRate {
  return {
    rateType:
      text(row, 'deposit_rate_type', 'depositRateType') ?? text(row, 'lending_rate_type', 'lendingRateType'),
    rate: text(row, 'rate'),
    comparisonRate: text(row, 'comparison_rate', 'comparisonRate'),
    calculationFrequency: text(row, 'calculation_frequency', 'calculationFrequency'),
    applicationFrequency: text(row, 'application_frequency', 'applicationFrequency'),
    interestPaymentDue: text(row, 'interest_payment_due', 'interestPaymentDue'),
    loanPurpose: text(row, 'loan_purpose', 'loanPurpose'),
    additionalValue: text(row, 'additional_value', 'additionalValue'),
    additionalInfo: text(row, 'additional_info', 'additionalInfo'),
    tiers: list(row, 'tiers').map(tier),
  };
}

function tier(row: WireObject): ProviderTier {
  return {
    name: text(row, 'name'),
    unitOfMeasure: text(row, 'unit_of_measure', 'unitOfMeasure'),
    minimumValue: bound(text(row, 'minimum_value', 'minimumValue')),
    maximumValue: bound(text(row, 'maximum_value', 'maximumValue')),
    rateApplicationMethod: text(row, 'rate_application_method', 'rateApplicationMethod'),
    additionalInfo: text(row, 'additional_info', 'additionalInfo'),
  };
}

/** A tier's bound: a number in v1 of the interface, decimal text or a number upstream. No money is computed from it. */
function bound(sent: string | null): number | null {
  return sent !== null && isDecimal(sent) ? Number(sent) : null;
}

/** A flat `amount` is the vendor's older form; the current one is a union of fixed amount, rate and variable. */
function fee(row: WireObject): ProviderFee {
  const fixed = inner(row, 'fixed_amount', 'fixedAmount');
  const based = inner(row, 'rate_based', 'rateBased');
  const rateType = based === null ? null : text(based, 'rate_type', 'rateType');
  const rateOf = (type: string): string | null =>
    based !== null && rateType === type ? text(based, 'rate') : null;
  return {
    name: text(row, 'name'),
    feeType: text(row, 'fee_type', 'feeType'),
    amount: (fixed === null ? null : text(fixed, 'amount')) ?? text(row, 'amount'),
    balanceRate: rateOf('BALANCE') ?? text(row, 'balance_rate', 'balanceRate'),
    transactionRate: rateOf('TRANSACTION') ?? text(row, 'transaction_rate', 'transactionRate'),
    accruedRate: rateOf('INTEREST_ACCRUED') ?? text(row, 'accrued_rate', 'accruedRate'),
    accrualFrequency:
      (based === null ? null : text(based, 'accrual_frequency', 'accrualFrequency')) ??
      text(row, 'accrual_frequency', 'accrualFrequency'),
    currency: text(row, 'currency'),
    additionalValue: text(row, 'additional_value', 'additionalValue'),
    additionalInfo: variableInfo(row) ?? text(row, 'additional_info', 'additionalInfo'),
  };
}

/** A variable fee has no amount; its bounds are given in words, before the bank's own description. */
function variableInfo(row: WireObject): string | null {
  const variable = inner(row, 'variable');
  if (variable === null) return null;
  const bounds = [
    ['minimum', text(variable, 'fee_minimum', 'feeMinimum')],
    ['maximum', text(variable, 'fee_maximum', 'feeMaximum')],
  ].flatMap(([word, value]) => (value === null ? [] : [`${word} ${value}`]));
  const said = text(row, 'additional_info', 'additionalInfo');
  const parts = [bounds.length === 0 ? 'Variable' : `Variable, ${bounds.join(', ')}`, said];
  return parts.filter((part) => part !== null).join('. ');
}

function feature(row: WireObject): ProviderFeature {
  return {
    featureType: text(row, 'feature_type', 'featureType'),
    additionalValue: text(row, 'additional_value', 'additionalValue'),
    additionalInfo: text(row, 'additional_info', 'additionalInfo'),
  };
}

/**
 * Ids of offset accounts are dropped: they name accounts the person may not have shared
 * (docs/resources.md#account-details).
 */
function mapLoan(loan: WireObject): ProviderLoan {
  const offset = member(loan, 'offset_account_enabled', 'offsetAccountEnabled');
  return {
    loanEndDate: text(loan, 'loan_end_date', 'loanEndDate'),
    repaymentType: text(loan, 'repayment_type', 'repaymentType'),
    repaymentFrequency: text(loan, 'repayment_frequency', 'repaymentFrequency'),
    nextInstalmentDate: text(loan, 'next_instalment_date', 'nextInstalmentDate'),
    minInstalmentAmount: text(loan, 'min_instalment_amount', 'minInstalmentAmount'),
    minInstalmentCurrency: text(loan, 'min_instalment_currency', 'minInstalmentCurrency'),
    maxRedraw: text(loan, 'max_redraw', 'maxRedraw'),
    maxRedrawCurrency: text(loan, 'max_redraw_currency', 'maxRedrawCurrency'),
    minRedraw: text(loan, 'min_redraw', 'minRedraw'),
    minRedrawCurrency: text(loan, 'min_redraw_currency', 'minRedrawCurrency'),
    originalLoanAmount: text(loan, 'original_loan_amount', 'originalLoanAmount'),
    originalLoanCurrency: text(loan, 'original_loan_currency', 'originalLoanCurrency'),
    originalStartDate: text(loan, 'original_start_date', 'originalStartDate'),
    offsetAccountEnabled: typeof offset === 'boolean' ? offset : null,
  };
}
