import { useQuery } from '@tanstack/react-query';
import type { Account, AccountDetails, DepositRate, LendingRate } from '#client';
import { accountDetails } from '../api/accounts.ts';
import { accountNumberText } from '../format/account-number.ts';
import { Card, Facts } from '../parts/card.tsx';
import { keyed } from '../parts/keyed.ts';
import { LoadingRows, Problem } from '../parts/page-states.tsx';
import { ACCOUNT } from '../text/accounts.ts';
import { CONNECTIONS } from '../text/connections.ts';
import classes from './account.module.css';
import { amountOf, codeText, hasTerms, loanFacts, periodOf, rateOf, tierText } from './terms.ts';

const { details: words } = ACCOUNT;

/** The product behind a bank account: rates with their tiers, fees, features and the terms of a loan. */
export function TermsCard({ account }: { readonly account: Account }) {
  const { data, error, refetch } = useQuery(accountDetails(account.id));
  return (
    <Card title={words.title} aside={words.aside}>
      <Facts
        facts={[
          [words.product, data?.product_name ?? null],
          [words.type, CONNECTIONS.type[account.type]],
          [words.number, account.account_number === null ? null : accountNumberText(account.account_number)],
          [words.currency, account.currency.toUpperCase()],
        ]}
      />
      {error !== null && data === undefined ? (
        <Problem error={error} again={refetch} />
      ) : data === undefined ? (
        <LoadingRows count={2} />
      ) : hasTerms(data) ? (
        <Terms details={data} currency={account.currency} />
      ) : (
        <p className={classes.none}>{words.none}</p>
      )}
    </Card>
  );
}

function Terms({ details, currency }: { readonly details: AccountDetails; readonly currency: string }) {
  const { fees, features, loan_details: loan } = details;
  return (
    <>
      <Rates title={words.depositRates} rates={details.deposit_rates} currency={currency} />
      <Rates title={words.lendingRates} rates={details.lending_rates} currency={currency} />
      {loan === null ? null : (
        <section className={classes.part}>
          <h3 className={classes.subtitle}>{words.loan}</h3>
          <Facts facts={loanFacts(loan)} />
        </section>
      )}
      {fees.length === 0 ? null : (
        <TermsTable
          title={words.fees}
          rows={fees.map((fee) => ({
            name: fee.name ?? codeText(fee.fee_type) ?? '',
            value:
              amountOf(fee.amount, fee.currency ?? currency) ??
              rateOf(fee.transaction_rate ?? fee.balance_rate ?? fee.accrued_rate) ??
              '',
            detail: [periodOf(fee.accrual_frequency ?? fee.additional_value), fee.additional_info],
          }))}
        />
      )}
      {features.length === 0 ? null : (
        <TermsTable
          title={words.features}
          rows={features.map((feature) => ({
            name: codeText(feature.feature_type) ?? '',
            value: '',
            detail: [periodOf(feature.additional_value), feature.additional_info],
          }))}
        />
      )}
    </>
  );
}

interface RatesProps {
  readonly title: string;
  readonly rates: readonly (DepositRate | LendingRate)[];
  readonly currency: string;
}

function Rates({ title, rates, currency }: RatesProps) {
  if (rates.length === 0) return null;
  return (
    <TermsTable
      title={title}
      rows={rates.map((rate) => ({
        name: codeText(rate.rate_type) ?? words.rate,
        value: rateOf(rate.rate) ?? '',
        detail: [
          ...('comparison_rate' in rate && rate.comparison_rate !== null
            ? [`${words.comparison} ${rateOf(rate.comparison_rate)}`]
            : []),
          ...('loan_purpose' in rate ? [codeText(rate.loan_purpose)] : []),
          ...rate.tiers.map((tier) => tierText(tier, currency)),
          rate.application_frequency === null
            ? null
            : `${words.applied}: ${periodOf(rate.application_frequency)?.toLowerCase()}`,
          periodOf(rate.additional_value),
          rate.additional_info,
        ],
      }))}
    />
  );
}

interface TermsTableProps {
  readonly title: string;
  readonly rows: readonly {
    readonly name: string;
    readonly value: string;
    readonly detail: readonly (string | null)[];
  }[];
}

function TermsTable({ title, rows }: TermsTableProps) {
  return (
    <section className={classes.part}>
      <h3 className={classes.subtitle}>{title}</h3>
      <table className={classes.table} aria-label={title}>
        <tbody>
          {keyed(rows, ({ name, value, detail }) => JSON.stringify([name, value, detail])).map(
            ([key, row]) => {
              const { name, value } = row;
              const details = row.detail.filter((one) => one !== null && one !== '').join(' · ');
              return (
                <tr key={key}>
                  <th scope="row">
                    {name}
                    {details === '' ? null : <div className={classes.name}>{details}</div>}
                  </th>
                  <td className={classes.number}>{value}</td>
                </tr>
              );
            },
          )}
        </tbody>
      </table>
    </section>
  );
}
