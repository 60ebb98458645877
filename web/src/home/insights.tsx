import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { currenciesOf } from '../accounts/coverage.ts';
import { useReadAccounts } from '../accounts/histories.ts';
import type { LinkedAccount } from '../accounts/linked-accounts.ts';
import { readFrom } from '../accounts/net-position.ts';
import { PositionCard } from '../accounts/position-card.tsx';
import { me } from '../api/me.ts';
import { monthsUntil } from '../format/days.ts';
import { dayIn } from '../format/moments.ts';
import { Choices } from '../parts/fields.tsx';
import classes from '../parts/insights.module.css';
import { Problem } from '../parts/page-states.tsx';
import { INSIGHTS } from '../text/insights.ts';
import { LoadingInsights } from './loading-insights.tsx';
import { SpendingCard } from './spending-card.tsx';

const PERIODS = { 3: '3', 6: '6', 12: '12' } as const;
type Period = (typeof PERIODS)[keyof typeof PERIODS];

/** The net position over time, and spending. Read live, and kept only in memory. */
export function Insights({ linked }: { readonly linked: readonly LinkedAccount[] }) {
  const { data: record, error, refetch } = useQuery(me);
  if (record === undefined) {
    return error === null ? <LoadingInsights /> : <Problem error={error} again={refetch} />;
  }
  return <Read linked={linked} today={dayIn(record.timezone)} />;
}

function Read({ linked, today }: { readonly linked: readonly LinkedAccount[]; readonly today: string }) {
  const [period, setPeriod] = useState<Period>(PERIODS[3]);
  const [wanted, setWanted] = useState<string | null>(null);
  const months = monthsUntil(today, Number(period));
  const from = `${months[0]}-01`;
  const { accounts, lacksBalances, error, isPartial, again } = useReadAccounts(linked, readFrom(from));
  const currencies = currenciesOf(accounts ?? []);
  const currency = currencies.find((one) => one === wanted) ?? currencies[0];
  return (
    <>
      <div className={classes.controls}>
        <h2 className={classes.title}>{INSIGHTS.title}</h2>
        <div className={classes.choices}>
          <Choices
            label={INSIGHTS.currency}
            choices={currencies.map((value) => ({ value, name: value.toUpperCase() }))}
            chosen={currency ?? ''}
            onChoose={setWanted}
          />
          <Choices
            label={INSIGHTS.period}
            choices={Object.values(PERIODS).map((value) => ({ value, name: INSIGHTS.months(Number(value)) }))}
            chosen={period}
            onChoose={setPeriod}
          />
        </div>
      </div>
      {lacksBalances ? (
        <p className={classes.none}>{INSIGHTS.needsBalances}</p>
      ) : error !== null ? (
        <Problem error={error} again={again} />
      ) : accounts === null ? (
        <LoadingInsights />
      ) : currency === undefined ? (
        <p className={classes.none}>{INSIGHTS.nothing}</p>
      ) : (
        <>
          <PositionCard
            accounts={accounts}
            currency={currency}
            from={from}
            today={today}
            again={isPartial ? again : null}
            words={INSIGHTS.position}
          />
          <SpendingCard
            key={currency}
            linked={linked}
            accounts={accounts}
            currency={currency}
            months={months}
          />
        </>
      )}
    </>
  );
}
