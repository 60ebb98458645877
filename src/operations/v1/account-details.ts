import { type Static, Type } from 'typebox';
import type {
  ProviderAccountDetails,
  ProviderFee,
  ProviderLoan,
  ProviderRate,
  ProviderTier,
} from '../../connectors/providers/provider-contract.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import { type accountDetailSchema, accountDetailsSchema } from './account-detail-schema.ts';
import { longIdListText } from './conventions.ts';
import { cacheOf, v1Endpoint } from './endpoint.ts';
import { requiredAccountIds } from './required-account-ids.ts';

type Shown = Static<typeof accountDetailSchema>;

/** Values are the bank's own words, those that v1 does not name included. */
export function presentAccountDetails(account: RowId<'account'>, details: ProviderAccountDetails): Shown {
  return {
    accountId: account,
    productName: details.productName,
    depositRate: details.depositRate,
    depositRates: details.depositRates.map(rate),
    lendingRate: details.lendingRate,
    lendingRates: details.lendingRates.map((lending) => ({
      ...rate(lending),
      comparisonRate: lending.comparisonRate,
      interestPaymentDue: lending.interestPaymentDue,
      loanPurpose: lending.loanPurpose,
    })),
    fees: details.fees.map(fee),
    features: details.features.map(({ featureType, additionalValue, additionalInfo }) => ({
      featureType,
      additionalValue,
      additionalInfo,
    })),
    loanDetails: details.loan === null ? null : loanDetails(details.loan),
  };
}

function rate(row: ProviderRate): Shown['depositRates'][number] {
  const { rateType, calculationFrequency, applicationFrequency, additionalValue, additionalInfo } = row;
  return {
    rateType,
    rate: row.rate,
    calculationFrequency,
    applicationFrequency,
    additionalValue,
    additionalInfo,
    tiers: row.tiers.map(tier),
  };
}

function tier(row: ProviderTier): Shown['depositRates'][number]['tiers'][number] {
  const { name, unitOfMeasure, minimumValue, maximumValue, rateApplicationMethod, additionalInfo } = row;
  return {
    name,
    unitOfMeasure,
    minimumValue,
    ...(maximumValue !== null && { maximumValue }),
    rateApplicationMethod,
    additionalInfo,
  };
}

function fee({ currency, ...row }: ProviderFee): Shown['fees'][number] {
  return {
    name: row.name,
    feeType: row.feeType,
    amount: row.amount,
    balanceRate: row.balanceRate,
    transactionRate: row.transactionRate,
    accruedRate: row.accruedRate,
    accrualFrequency: row.accrualFrequency,
    ...(currency !== null && { currency: currency.toUpperCase() }),
    additionalValue: row.additionalValue,
    additionalInfo: row.additionalInfo,
  };
}

function loanDetails({ maxRedraw, ...loan }: ProviderLoan): NonNullable<Shown['loanDetails']> {
  return {
    loanEndDate: loan.loanEndDate,
    repaymentType: loan.repaymentType,
    repaymentFrequency: loan.repaymentFrequency,
    nextInstalmentDate: loan.nextInstalmentDate,
    minInstalmentAmount: loan.minInstalmentAmount,
    minInstalmentCurrency: upper(loan.minInstalmentCurrency),
    ...(maxRedraw !== null && { maxRedraw }),
    maxRedrawCurrency: upper(loan.maxRedrawCurrency),
    minRedraw: loan.minRedraw,
    minRedrawCurrency: upper(loan.minRedrawCurrency),
    originalLoanAmount: loan.originalLoanAmount,
    originalLoanCurrency: upper(loan.originalLoanCurrency),
    originalStartDate: loan.originalStartDate,
    offsetAccountEnabled: loan.offsetAccountEnabled,
  };
}

function upper(code: string | null): string | null {
  return code?.toUpperCase() ?? null;
}

export const accountDetailsEndpoint = v1Endpoint({
  id: 'v1_list_account_details',
  summary: 'Product, rates, fees, features and loan details of banking accounts',
  path: '/v1/account-details',
  scope: 'data:read',
  tier: 'mid',
  query: Type.Object({ accountIds: Type.Optional(longIdListText) }),
  response: accountDetailsSchema,
  handle: async ({ accountIds }, { caller, services, signal }) => {
    const ids = requiredAccountIds(accountIds, services.limits.balance_accounts);
    const listed = await services.detailReads.list(caller.accountRecord.id, ids, signal());
    const data = listed.flatMap(({ account, read }) =>
      read === null ? [] : [presentAccountDetails(account, read.value)],
    );
    return { body: { data }, cache: cacheOf(listed.map(({ read }) => read)), truncated: false };
  },
});
