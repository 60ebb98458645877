import { useQueries, useQuery } from '@tanstack/react-query';
import type { AccountRecord } from '#client';
import { currenciesOf } from '../accounts/coverage.ts';
import { useReadAccounts } from '../accounts/histories.ts';
import { type LinkedAccount, MOST_INVESTED } from '../accounts/linked-accounts.ts';
import { readFrom } from '../accounts/net-position.ts';
import { balances, holdings, isUnverified } from '../api/accounts.ts';
import { me } from '../api/me.ts';
import { namesInPage } from '../api/page-names.ts';
import { monthsUntil } from '../format/days.ts';
import { ratesIn } from '../format/exchange.ts';
import { dayIn } from '../format/moments.ts';
import { Card } from '../parts/card.tsx';
import { Choices } from '../parts/fields.tsx';
import classes from '../parts/insights.module.css';
import { Problem } from '../parts/page-states.tsx';
import { HOME } from '../text/home.ts';
import { INSIGHTS } from '../text/insights.ts';
import { currencyValues } from './invested.ts';
import { LoadingLine, LoadingSpending, LoadingWorth, WorthFrame } from './loading-insights.tsx';
import { netWorthIn, type Worth as WorthIn, worthByCurrency } from './net-worth.ts';
import { WorthFigures, WorthNotes, WorthOverTime } from './net-worth-card.tsx';
import { SpendingCards } from './spending-card.tsx';

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
  const { isPending, worths, asked, unread } = useWorths({ linked, invested, record });
  const { accounts, lacksBalances, error, isPartial, again } = useReadAccounts(linked, readFrom(from));
  if (isPending) return <LoadingWorth />;
  const currencies = [...new Set([...worths.map((one) => one.currency), ...currenciesOf(accounts ?? [])])];
  const currency = currencies.find((one) => one === wanted) ?? currencies[0];
  const lacks = [
    ...(unread.length === 0 ? [] : [words.lacks(unread)]),
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
      ) : currency === undefined ? (
        <p className={classes.none}>{unread.length > 0 ? HOME.allUnavailable : INSIGHTS.nothing}</p>
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

interface Worths {
  readonly isPending: boolean;
  /** What could be read, by currency. */
  readonly worths: readonly WorthIn[];
  /** How many accounts at brokers were asked. */
  readonly asked: number;
  /** Names of the accounts that could not be read. */
  readonly unread: readonly string[];
}

function useWorths({ linked, invested, record }: Pick<ReadProps, 'linked' | 'invested' | 'record'>): Worths {
  const banks = useQuery(balances(linked.map(({ account }) => account.id)));
  const asked = record.entitlements.brokerage ? invested.slice(0, MOST_INVESTED) : [];
  const held = useQueries({ queries: asked.map(({ account }) => holdings(account.id)) });
  const counted = [...(banks.data?.values() ?? [])].flatMap((balance) =>
    balance.current === null || isUnverified(balance) ? [] : [balance.current],
  );
  return {
    isPending: banks.isPending || held.some((one) => one.isPending),
    worths: worthByCurrency(
      counted,
      held.flatMap(({ data }) => (data === undefined ? [] : [currencyValues(data)])),
    ),
    asked: asked.length,
    unread: [
      ...linked.filter(({ account }) => banks.data?.get(account.id)?.freshness === 'unavailable'),
      ...asked.filter((_, at) => held[at]?.data === undefined),
    ].map(({ account }) => account.name),
  };
}

/** Income, spending and where it went. */
export function Spending(props: InsightsProps) {
  const { data: record, error } = useQuery(me);
  if (record !== undefined) return <ReadSpending {...props} record={record} />;
  // The net worth says why, and offers to try again.
  return error === null ? <LoadingSpending /> : null;
}

function ReadSpending({ linked, invested, months: count, wanted, record }: ReadProps) {
  const { worths } = useWorths({ linked, invested, record });
  const months = monthsUntil(dayIn(record.timezone), count);
  const { accounts, lacksBalances, error } = useReadAccounts(linked, readFrom(`${months[0]}-01`));
  const currencies = currenciesOf(accounts ?? []);
  // Until the person chooses one, that of the net worth.
  const currency = currencies.find((one) => one === (wanted ?? worths[0]?.currency)) ?? currencies[0];
  // The net worth says why, and offers to try again.
  if (lacksBalances) return null;
  if (error === null && accounts === null) return <LoadingSpending />;
  if (error !== null || currency === undefined || accounts === null) {
    return (
      <Card title={INSIGHTS.budget.title}>
        <p className={classes.none}>{error === null ? INSIGHTS.nothing : INSIGHTS.needsTransactions}</p>
      </Card>
    );
  }
  return (
    <SpendingCards key={currency} linked={linked} accounts={accounts} currency={currency} months={months} />
  );
}
