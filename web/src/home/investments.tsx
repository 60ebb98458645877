import { Skeleton } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { type LinkedAccount, MOST_INVESTED } from '../accounts/linked-accounts.ts';
import { holdings } from '../api/accounts.ts';
import { valueText } from '../format/decimals.ts';
import { AllocationShares } from '../investments/allocation-shares.tsx';
import { LinkButton } from '../parts/buttons.tsx';
import { Card } from '../parts/card.tsx';
import rows from '../parts/rows.module.css';
import { RowsAside } from '../parts/rows-aside.tsx';
import { HOME } from '../text/home.ts';
import { ALLOCATION, HOLDINGS } from '../text/investments.ts';
import { AccountRow } from './balances.tsx';
import classes from './home.module.css';
import { currencyValues, investedIn, type Values } from './invested.ts';

interface InvestmentsProps {
  /** At brokers. */
  readonly invested: readonly LinkedAccount[];
}

/** Positions that are listed, before the rest is one entry. */
const MOST_POSITIONS = 5;

/** The value of brokerage accounts at current prices, and the positions it is spread over. */
export function Investments({ invested }: InvestmentsProps) {
  const asked = invested.slice(0, MOST_INVESTED);
  const reads = useQueries({ queries: asked.map(({ account }) => holdings(account.id)) });
  const values = reads.map(({ data }) => (data === undefined ? null : currencyValues(data.rows)));
  const waiting = reads.some(({ data, error }) => data === undefined && error === null);
  const held = reads.flatMap(({ data }) => data?.rows ?? []);
  const unknown = held.filter((one) => one.market_value_decimal === null).length;
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
          <Skeleton height={44} width={180} />
        </div>
      ) : (
        <Sums values={values} />
      )}
      <ul className={rows.rows}>
        {asked.map(({ account, connection }, at) => (
          <AccountRow key={account.id} account={account} connection={connection}>
            <Figure values={values[at] ?? null} failed={reads[at]?.error != null} />
          </AccountRow>
        ))}
      </ul>
      {waiting || held.length < 2 ? null : (
        <section className={classes.allocation}>
          <h3 className={classes.part}>{ALLOCATION.title}</h3>
          <AllocationShares
            holdings={held}
            by="position"
            accountName={(id) => id}
            most={MOST_POSITIONS}
            noteClass={classes.allocationNote ?? ''}
          />
        </section>
      )}
      <RowsAside
        accounts={asked.map(({ account }, at) => ({
          name: account.name,
          rows: reads[at]?.data?.aside ?? [],
        }))}
      />
      <div className={classes.notes}>
        {unknown === 0 ? null : <p>{HOLDINGS.unknownValues(unknown)}</p>}
        {asked.length === invested.length ? null : <p>{HOME.notRead(invested.length - asked.length)}</p>}
        <p>{HOME.investmentsText}</p>
      </div>
    </Card>
  );
}

/** The value in each currency. */
function Sums({ values }: { readonly values: readonly (Values | null)[] }) {
  const sums = investedIn(values);
  if (sums.length === 0) {
    return <p className={classes.totals}>{values.includes(null) ? HOME.allUnavailable : HOLDINGS.none}</p>;
  }
  return (
    <dl className={classes.totals}>
      {sums.map(({ currency, value }) => (
        <div key={currency}>
          <dt className={rows.detail}>{`${HOLDINGS.value} · ${currency.toUpperCase()}`}</dt>
          <dd className={classes.total}>{valueText(value, currency)}</dd>
        </div>
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
