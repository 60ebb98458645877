import { type Static, Type } from 'typebox';
import type {
  ProviderAccountDetails,
  ProviderFee,
  ProviderLoan,
  ProviderRate,
  ProviderTier,
} from '../../../connectors/providers/provider-contract.ts';
import { publicId, type RowId } from '../../../vocabulary/ids.ts';
import { currencyCode } from '../../../vocabulary/money.ts';
import { type Operation, operation } from '../../operation.ts';
import { ACCOUNT_READ_ERRORS } from '../../read-errors.ts';
import type { ResourceDocs } from '../docs/docs.ts';
import { exampleId } from '../docs/examples.ts';
import { currency, idOf, idParams, livemode, nullable, pathId, resource } from '../schema/conventions.ts';

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
    fees: details.fees.map(presentFee),
    features: details.features.map((feature) => ({
      feature_type: feature.featureType,
      additional_value: feature.additionalValue,
      additional_info: feature.additionalInfo,
    })),
    loan_details: details.loan === null ? null : presentLoanDetails(details.loan),
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
    tiers: row.tiers.map(presentTier),
  };
}

function presentTier(row: ProviderTier): Shown['deposit_rates'][number]['tiers'][number] {
  return {
    name: row.name,
    unit_of_measure: row.unitOfMeasure,
    minimum_value: row.minimumValue,
    maximum_value: row.maximumValue,
    rate_application_method: row.rateApplicationMethod,
    additional_info: row.additionalInfo,
  };
}

function presentFee(row: ProviderFee): Shown['fees'][number] {
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

function presentLoanDetails(loan: ProviderLoan): NonNullable<Shown['loan_details']> {
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

/** In lower case, as everywhere in v2; null if the bank names no currency by its code. */
function codeOf(currency: string | null): string | null {
  return currency === null ? null : currencyCode(currency);
}

const detailsExample: Static<typeof accountDetailsSchema> = {
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

export const accountDetailsDocs: Readonly<Record<string, ResourceDocs>> = {
  account_details: {
    description:
      'The product behind an account. Often empty or null in part, because banks vary in what they supply.',
    fields: {
      deposit_rate: 'The headline rate as a fraction: 0.05 means 5%.',
      lending_rate: 'The headline rate as a fraction.',
      loan_details: 'Loan accounts only.',
    },
    example: detailsExample,
  },
};

export const accountDetailsOperations: readonly Operation[] = [
  operation({
    id: 'get_account_details',
    summary: 'Read product, rates, fees, features and loan details of a banking account',
    docs: { description: 'As the bank reports them; Australian banking accounts only.' },
    method: 'GET',
    path: '/v2/accounts/:id/details',
    scope: 'data:read',
    tier: 'mid',
    params: idParams('account'),
    response: accountDetailsSchema,
    errors: ACCOUNT_READ_ERRORS,
    handle: async ({ params, caller, services, signal }) => {
      const id = pathId('account', params.id);
      const read = await services.accountReads.details(caller.accountRecord.id, id, signal);
      return presentAccountDetails(id, read.value);
    },
  }),
];
