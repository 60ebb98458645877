import type { Static } from 'typebox';
import type {
  ProviderAccountDetails,
  ProviderFee,
  ProviderLoan,
  ProviderRate,
  ProviderTier,
} from '../../connectors/providers/provider-contract.ts';
import { publicId, type RowId } from '../../vocabulary/ids.ts';
import { currencyCode } from '../../vocabulary/money.ts';
import type { accountDetailsSchema } from '../schemas/account-details.ts';

type Shown = Static<typeof accountDetailsSchema>;

export function presentAccountDetails(account: RowId<'account'>, details: ProviderAccountDetails): Shown {
  return {
    object: 'account_details',
    account: publicId('account', account),
    product_name: details.productName,
    deposit_rate: details.depositRate,
    deposit_rates: details.depositRates.map(rate),
    lending_rate: details.lendingRate,
    lending_rates: details.lendingRates.map((lending) => ({
      ...rate(lending),
      comparison_rate: lending.comparisonRate,
      interest_payment_due: lending.interestPaymentDue,
      loan_purpose: lending.loanPurpose,
    })),
    fees: details.fees.map(fee),
    features: details.features.map((feature) => ({
      feature_type: feature.featureType,
      additional_value: feature.additionalValue,
      additional_info: feature.additionalInfo,
    })),
    loan_details: details.loan === null ? null : loanDetails(details.loan),
    livemode: true,
  };
}

function rate(row: ProviderRate): Shown['deposit_rates'][number] {
  return {
    rate_type: row.rateType,
    rate: row.rate,
    calculation_frequency: row.calculationFrequency,
    application_frequency: row.applicationFrequency,
    additional_value: row.additionalValue,
    additional_info: row.additionalInfo,
    tiers: row.tiers.map(tier),
  };
}

function tier(row: ProviderTier): Shown['deposit_rates'][number]['tiers'][number] {
  return {
    name: row.name,
    unit_of_measure: row.unitOfMeasure,
    minimum_value: row.minimumValue,
    maximum_value: row.maximumValue,
    rate_application_method: row.rateApplicationMethod,
    additional_info: row.additionalInfo,
  };
}

function fee(row: ProviderFee): Shown['fees'][number] {
  return {
    name: row.name,
    fee_type: row.feeType,
    amount: row.amount,
    balance_rate: row.balanceRate,
    transaction_rate: row.transactionRate,
    accrued_rate: row.accruedRate,
    accrual_frequency: row.accrualFrequency,
    currency: codeOf(row.currency),
    additional_value: row.additionalValue,
    additional_info: row.additionalInfo,
  };
}

function loanDetails(loan: ProviderLoan): NonNullable<Shown['loan_details']> {
  return {
    loan_end_date: loan.loanEndDate,
    repayment_type: loan.repaymentType,
    repayment_frequency: loan.repaymentFrequency,
    next_instalment_date: loan.nextInstalmentDate,
    min_instalment_amount: loan.minInstalmentAmount,
    min_instalment_currency: codeOf(loan.minInstalmentCurrency),
    max_redraw: loan.maxRedraw,
    max_redraw_currency: codeOf(loan.maxRedrawCurrency),
    min_redraw: loan.minRedraw,
    min_redraw_currency: codeOf(loan.minRedrawCurrency),
    original_loan_amount: loan.originalLoanAmount,
    original_loan_currency: codeOf(loan.originalLoanCurrency),
    original_start_date: loan.originalStartDate,
    offset_account_enabled: loan.offsetAccountEnabled,
  };
}

/** In lower case, as everywhere in v2; null where the bank names no currency by its code. */
function codeOf(currency: string | null): string | null {
  return currency === null ? null : currencyCode(currency);
}
