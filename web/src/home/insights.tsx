import { useQueries, useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import type { AccountRecord } from '#client';
import { currenciesOf } from '../accounts/coverage.ts';
import { useReadAccounts } from '../accounts/histories.ts';
import { type LinkedAccount, MOST_INVESTED } from '../accounts/linked-accounts.ts';
import { type Movement, readFrom } from '../accounts/net-position.ts';
import { balances, holdings, isUnverified } from '../api/accounts.ts';
import type { ReadBalance } from '../api/held-balances.ts';
import { me } from '../api/me.ts';
import { namesInPage } from '../api/page-names.ts';
import { dayAway, monthsUntil } from '../format/days.ts';
import { ratesIn } from '../format/exchange.ts';
import { dayIn } from '../format/moments.ts';
import { Card } from '../parts/card.tsx';
import { Choices } from '../parts/fields.tsx';
import classes from '../parts/insights.module.css';
import { Problem } from '../parts/page-states.tsx';
import { ReadAgain } from '../parts/read-again.tsx';
import { ComingUp } from '../recurring/coming-up.tsx';
import { HOME } from '../text/home.ts';
import { INSIGHTS } from '../text/insights.ts';
import { currencyValues } from './invested.ts';
import {
  LoadingBudget,
  LoadingLine,
  LoadingSpending,
  LoadingWorth,
  WorthFrame,
} from './loading-insights.tsx';
import { netWorthIn, type Worth as WorthIn, worthByCurrency } from './net-worth.ts';
import { WorthFigures, WorthNotes, WorthOverTime } from './net-worth-card.tsx';
import { BudgetCard, SpendingCard, type Spent } from './spending-card.tsx';

const { worth: words } = INSIGHTS;

interface InsightsProps {
  /** At banks. */
  readonly linked: readonly LinkedAccount[];
  /** At brokers. */
  readonly invested: readonly LinkedAccount[];
  /** How many months the charts show. */
  readonly months: number;
  /** The currency that the person chose; null until then. */
  readonly wanted: string | null;
  readonly onCurrency: (currency: string) => void;
}

interface ReadProps extends InsightsProps {
  readonly record: AccountRecord;
}

/** The net worth now and over time. Read live, and kept only in memory. */
export function Worth(props: InsightsProps) {
  const { data: record, error, refetch } = useQuery(me);
  if (record !== undefined) return <ReadWorth {...props} record={record} />;
  return error === null ? <LoadingWorth /> : <Problem error={error} again={refetch} />;
}

function ReadWorth({ linked, invested, months, wanted, onCurrency, record }: ReadProps) {
  const today = dayIn(record.timezone);
  const from = `${monthsUntil(today, months)[0]}-01`;
  const rates = ratesIn(namesInPage('exchange-rates'));
  const { isPending, worths, asked, unread, read } = useWorths({ linked, invested, record });
  const { accounts, lacksBalances, error, isPartial, again } = useReadAccounts(linked, firstDay(from, today));
  if (isPending) return <LoadingWorth />;
  const currencies = [...new Set([...worths.map((one) => one.currency), ...currenciesOf(accounts ?? [])])];
  const currency = currencies.find((one) => one === wanted) ?? currencies[0];
  const lacks = [
    ...(unread.length === 0 ? [] : [HOME.lacks(unread)]),
    ...(invested.length === 0 || record.entitlements.brokerage ? [] : [words.locked]),
    ...(asked > 0 && asked < invested.length ? [words.lacksMore(invested.length - asked)] : []),
  ];
  return (
    <WorthFrame
      choices={
        <Choices
          label={INSIGHTS.currency}
          choices={currencies.map((value) => ({ value, name: value.toUpperCase() }))}
          chosen={currency ?? ''}
          onChoose={onCurrency}
        />
      }
    >
      {lacksBalances ? (
        <p className={classes.none}>{INSIGHTS.needsBalances}</p>
      ) : currency === undefined || worths.length === 0 ? (
        <>
          <p className={classes.none}>{unread.length > 0 ? HOME.allUnavailable : INSIGHTS.nothing}</p>
          {error === null ? (
            <ReadAgain read={read} onAgain={again} />
          ) : (
            <Problem error={error} again={again} />
          )}
        </>
      ) : linked.length > 0 && error === null && accounts !== null ? (
        <WorthOverTime
          worth={netWorthIn(currency, worths, rates)}
          lacks={lacks}
          accounts={accounts}
          rates={rates}
          from={from}
          today={today}
          again={isPartial ? again : null}
        />
      ) : (
        <>
          <WorthFigures worth={netWorthIn(currency, worths, rates)} then={null} change={null} lacks={lacks} />
          {linked.length === 0 ? (
            <WorthNotes worth={netWorthIn(currency, worths, rates)} />
          ) : error === null ? (
            <LoadingLine />
          ) : (
            <Problem error={error} again={again} />
          )}
        </>
      )}
    </WorthFrame>
  );
}

/** In which the shortest read of the months chosen has three payments that come monthly. */
const LEAST_DAYS = 100;
const NONE: readonly Movement[] = [];

/** The first day that home reads, for charts from a day on and for what comes each month. */
function firstDay(from: string, today: string): string {
  const [forCharts, forMonths] = [readFrom(from), dayAway(today, -LEAST_DAYS)];
  return forCharts < forMonths ? forCharts : forMonths;
}

interface Worths {
  readonly isPending: boolean;
  /** What could be read, by currency. */
  readonly worths: readonly WorthIn[];
  /** How many accounts at brokers were asked. */
  readonly asked: number;
  /** Names of the accounts that could not be read. */
  readonly unread: readonly string[];
  /** The balances, also those that could not be read. */
  readonly read: readonly ReadBalance[];
}

function useWorths({ linked, invested, record }: Pick<ReadProps, 'linked' | 'invested' | 'record'>): Worths {
  const banks = useQuery(balances(linked.map(({ account }) => account.id)));
  const asked = record.entitlements.brokerage ? invested.slice(0, MOST_INVESTED) : [];
  const held = useQueries({ queries: asked.map(({ account }) => holdings(account.id)) });
  const read = [...(banks.data?.values() ?? [])];
  const counted = read.flatMap((balance) =>
    balance.current === null || isUnverified(balance) ? [] : [balance.current],
  );
  return {
    isPending: banks.isPending || held.some((one) => one.isPending),
    worths: worthByCurrency(
      counted,
      held.flatMap(({ data }) => (data === undefined ? [] : [currencyValues(data.rows)])),
    ),
    asked: asked.length,
    read,
    unread: [
      ...linked.filter(({ account }) => banks.data?.get(account.id)?.current == null),
      ...asked.filter((_, at) => held[at]?.data === undefined),
    ].map(({ account }) => account.name),
  };
}

/** Income against spending by month. */
export function Budget(props: InsightsProps) {
  return (
    <OfCurrency
      {...props}
      lacking={null}
      loading={<LoadingBudget />}
      show={(spent) => <BudgetCard {...spent} />}
    />
  );
}

/** What is coming up, and where the money went: in one, so that nothing moves when the former comes. */
export function Spending(props: InsightsProps) {
  return (
    <OfCurrency
      {...props}
      lacking={(why) => (
        <Card title={INSIGHTS.spending.title}>
          <p className={classes.none}>{why}</p>
        </Card>
      )}
      loading={<LoadingSpending />}
      show={(spent) => (
        <ComingUp
          accounts={spent.linked.map(({ account }) => account)}
          movements={spent.accounts.map(({ history }) => history?.movements ?? NONE)}
          today={spent.today}
          loading={<LoadingSpending />}
        >
          <SpendingCard {...spent} />
        </ComingUp>
      )}
    />
  );
}

interface OfCurrencyProps extends InsightsProps {
  /** Says why there is nothing to show; null if another part of the page says it. */
  readonly lacking: ((why: string) => ReactNode) | null;
  readonly loading: ReactNode;
  readonly show: (spent: Spent) => ReactNode;
}

function OfCurrency(props: OfCurrencyProps) {
  const { data: record, error } = useQuery(me);
  if (record !== undefined) return <ReadOfCurrency {...props} record={record} />;
  // The net worth says why, and offers to try again.
  return error === null ? props.loading : null;
}

function ReadOfCurrency(props: OfCurrencyProps & ReadProps) {
  const { linked, invested, months: count, wanted, record, lacking, loading, show } = props;
  const { worths } = useWorths({ linked, invested, record });
  const today = dayIn(record.timezone);
  const months = monthsUntil(today, count);
  const { accounts, lacksBalances, error } = useReadAccounts(linked, firstDay(`${months[0]}-01`, today));
  const currencies = currenciesOf(accounts ?? []);
  // Until the person chooses one, that of the net worth.
  const currency = currencies.find((one) => one === (wanted ?? worths[0]?.currency)) ?? currencies[0];
  // The net worth says why, and offers to try again.
  if (lacksBalances) return null;
  if (error === null && accounts === null) return loading;
  if (error !== null || currency === undefined || accounts === null) {
    return lacking?.(error === null ? INSIGHTS.nothing : INSIGHTS.needsTransactions) ?? null;
  }
  return <Fragment key={currency}>{show({ linked, accounts, currency, months, today })}</Fragment>;
}
