import { useState } from 'react';
import type { Account, Connection } from '#client';
import { monthsUntil } from '../format/days.ts';
import { dayIn, monthText, shortMonthText } from '../format/moments.ts';
import { moneyText } from '../format/money.ts';
import { Card } from '../parts/card.tsx';
import { Choices } from '../parts/fields.tsx';
import { FlowChart } from '../parts/flow-chart.tsx';
import { LoadingRows, Problem } from '../parts/page-states.tsx';
import { ACCOUNT } from '../text/accounts.ts';
import { INSIGHTS } from '../text/insights.ts';
import classes from './account.module.css';
import { useReadAccounts } from './histories.ts';
import { flowByMonth } from './money-flow.ts';
import { type Movement, readFrom } from './net-position.ts';
import { PositionCard } from './position-card.tsx';

interface AccountMoneyProps {
  readonly account: Account;
  readonly connection: Connection;
  readonly zone: string;
}

const PERIODS = [3, 6, 12] as const;

/** What an account did: its balance over time, and money in and out by month. Read live, and held in memory alone. */
export function AccountMoney({ account, connection, zone }: AccountMoneyProps) {
  const [period, setPeriod] = useState<string>(String(PERIODS[0]));
  const today = dayIn(zone);
  const months = monthsUntil(today, Number(period));
  const from = `${months[0]}-01`;
  const { accounts, error, isPartial, again } = useReadAccounts([{ account, connection }], readFrom(from));
  if (error !== null) return <Problem error={error} again={again} />;
  return (
    <>
      <div className={classes.controls}>
        <Choices
          label={INSIGHTS.period}
          choices={PERIODS.map((value) => ({ value: String(value), name: INSIGHTS.months(value) }))}
          chosen={period}
          onChoose={setPeriod}
        />
      </div>
      {accounts === null ? (
        <Card title={ACCOUNT.balance.title}>
          <LoadingRows count={5} />
        </Card>
      ) : (
        <div className={classes.halves}>
          <PositionCard
            accounts={accounts}
            currency={account.currency}
            from={from}
            today={today}
            again={isPartial ? again : null}
            words={ACCOUNT.balance}
          />
          <FlowCard
            key={period}
            movements={accounts[0]?.history?.movements ?? []}
            currency={account.currency}
            months={months}
          />
        </div>
      )}
    </>
  );
}

interface FlowCardProps {
  readonly movements: readonly Movement[];
  readonly currency: string;
  /** Oldest first. */
  readonly months: readonly string[];
}

function FlowCard({ movements, currency, months }: FlowCardProps) {
  const { flow: words } = ACCOUNT;
  const [wanted, setWanted] = useState<string | null>(null);
  const flows = flowByMonth(
    movements.filter((movement) => movement.currency === currency),
    months,
  );
  const month = wanted ?? months.at(-1) ?? '';
  const flowOf = (key: string) => flows.get(key) ?? { in: 0n, out: 0n };
  const shown = flowOf(month);
  const text = (value: bigint) => moneyText(value, currency);
  const figures = [
    [words.in, text(shown.in)],
    [words.out, text(shown.out)],
    [words.net, moneyText(shown.in - shown.out, currency, 'always')],
  ] as const;
  return (
    <Card title={words.title} aside={monthText(month)}>
      <dl className={classes.readout} aria-live="polite">
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt className={classes.name}>{name}</dt>
            <dd className={classes.figure}>{value}</dd>
          </div>
        ))}
      </dl>
      <FlowChart
        label={words.label}
        columns={months.map((key) => {
          const { in: moneyIn, out } = flowOf(key);
          return {
            key,
            short: shortMonthText(key),
            name: words.column(monthText(key), text(moneyIn), text(out)),
            in: moneyIn,
            out,
          };
        })}
        chosen={month}
        onChoose={setWanted}
      />
      <p className={classes.note}>{words.note}</p>
    </Card>
  );
}
