import { Skeleton } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { type LinkedAccount, MOST_INVESTED } from '../accounts/linked-accounts.ts';
import { balances, holdings, isUnverified } from '../api/accounts.ts';
import { valueText } from '../format/decimals.ts';
import { LinkButton } from '../parts/buttons.tsx';
import { Card } from '../parts/card.tsx';
import rows from '../parts/rows.module.css';
import { HOME } from '../text/home.ts';
import { HOLDINGS } from '../text/investments.ts';
import { AccountRow } from './balances.tsx';
import classes from './home.module.css';
import { currencyValues, investedWith, type Values } from './invested.ts';

interface InvestmentsProps {
  /** At brokers. */
  readonly invested: readonly LinkedAccount[];
  /** At banks. */
  readonly linked: readonly LinkedAccount[];
}

/** The value of brokerage accounts at current prices, and the total with the bank accounts. */
export function Investments({ invested, linked }: InvestmentsProps) {
  const asked = invested.slice(0, MOST_INVESTED);
  const reads = useQueries({ queries: asked.map(({ account }) => holdings(account.id)) });
  const values = reads.map(({ data }) => (data === undefined ? null : currencyValues(data)));
  const waiting = reads.some(({ data, error }) => data === undefined && error === null);
  const unknown = reads.reduce(
    (sum, { data }) => sum + (data ?? []).filter((one) => one.market_value_decimal === null).length,
    0,
  );
  return (
    <Card
      title={HOME.investments}
      aside={
        <LinkButton to={APP_PATHS.holdings} variant="default" size="xs">
          {HOME.holdings}
        </LinkButton>
      }
    >
      {waiting ? (
        <div className={classes.totals}>
          <Skeleton height={56} width={180} />
        </div>
      ) : (
        <Sums values={values} linked={linked} isComplete={asked.length === invested.length} />
      )}
      <ul className={rows.rows}>
        {asked.map(({ account, connection }, at) => (
          <AccountRow key={account.id} account={account} connection={connection}>
            <Figure values={values[at] ?? null} failed={reads[at]?.error != null} />
          </AccountRow>
        ))}
      </ul>
      <div className={classes.notes}>
        {unknown === 0 ? null : <p>{HOLDINGS.unknownValues(unknown)}</p>}
        {asked.length === invested.length ? null : <p>{HOME.notRead(invested.length - asked.length)}</p>}
        <p>{HOME.investmentsText}</p>
      </div>
    </Card>
  );
}

interface SumsProps extends Pick<InvestmentsProps, 'linked'> {
  /** Of each account, null if it could not be read. */
  readonly values: readonly (Values | null)[];
  /** Whether every account at a broker was asked. */
  readonly isComplete: boolean;
}

/** The value in each currency. The total with the bank accounts is shown only if nothing is missing. */
function Sums({ values, linked, isComplete }: SumsProps) {
  const { data } = useQuery({
    ...balances(linked.map(({ account }) => account.id)),
    enabled: linked.length > 0,
  });
  const sums = investedWith(
    values,
    linked.length === 0
      ? []
      : data === undefined
        ? null
        : [...data.values()].map((balance) => (isUnverified(balance) ? null : balance.current)),
  );
  if (sums.length === 0) {
    return <p className={classes.totals}>{values.includes(null) ? HOME.allUnavailable : HOLDINGS.none}</p>;
  }
  return (
    <dl className={classes.totals}>
      {sums.map(({ currency, value, withBanks }) => (
        <Fragment key={currency}>
          <div>
            <dt className={rows.detail}>{`${HOLDINGS.value} · ${currency.toUpperCase()}`}</dt>
            <dd className={classes.total}>{valueText(value, currency)}</dd>
          </div>
          {withBanks === null || !isComplete ? null : (
            <div>
              <dt className={rows.detail}>{`${HOME.netWithInvestments} · ${currency.toUpperCase()}`}</dt>
              <dd className={classes.total}>{valueText(withBanks, currency)}</dd>
            </div>
          )}
        </Fragment>
      ))}
    </dl>
  );
}

function Figure({ values, failed }: { readonly values: Values | null; readonly failed: boolean }) {
  if (values === null) {
    return failed ? <p className={rows.detail}>{HOME.unavailable}</p> : <Skeleton height={16} width={96} />;
  }
  return (
    <div className={rows.figure}>
      {values.size === 0 ? <p className={rows.detail}>{HOLDINGS.none}</p> : null}
      {[...values].map(([currency, value]) => (
        <p key={currency} className={classes.amount}>
          {valueText(value, currency)}
        </p>
      ))}
    </div>
  );
}
