import { useState } from 'react';
import type { Account, Connection } from '#client';
import { monthsUntil } from '../format/days.ts';
import { dayIn } from '../format/moments.ts';
import { Card } from '../parts/card.tsx';
import { Choices } from '../parts/fields.tsx';
import { LoadingRows, Problem } from '../parts/page-states.tsx';
import { ReadAgain } from '../parts/read-again.tsx';
import { ACCOUNT } from '../text/accounts.ts';
import { CHARTS } from '../text/charts.ts';
import classes from './account.module.css';
import { asideIn } from './coverage.ts';
import { FlowCard } from './flow-card.tsx';
import { useReadAccounts } from './histories.ts';
import { flowByMonth } from './money-flow.ts';
import { readFrom } from './net-position.ts';
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
  const { accounts, error, isPartial, balances, again } = useReadAccounts(
    [{ account, connection }],
    readFrom(from),
  );
  if (error !== null) {
    return (
      <>
        <Problem error={error} again={again} />
        <ReadAgain read={balances} onAgain={again} />
      </>
    );
  }
  return (
    <>
      <div className={classes.controls}>
        <Choices
          label={CHARTS.period}
          choices={PERIODS.map((value) => ({ value: String(value), name: CHARTS.months(value) }))}
          chosen={period}
          onChoose={setPeriod}
        />
      </div>
      {accounts === null ? (
        <div className={classes.halves}>
          {[ACCOUNT.balance.title, ACCOUNT.flow.title].map((title) => (
            <Card key={title} title={title}>
              <div className={classes.loading}>
                <LoadingRows count={5} />
              </div>
            </Card>
          ))}
        </div>
      ) : (
        <div className={classes.halves}>
          <PositionCard
            accounts={accounts}
            currency={account.currency}
            from={from}
            today={today}
            again={isPartial ? again : null}
            words={ACCOUNT.balance}
          >
            <ReadAgain read={balances} onAgain={again} />
          </PositionCard>
          <FlowCard
            key={period}
            flows={flowByMonth(
              (accounts[0]?.history?.movements ?? []).filter(({ currency }) => currency === account.currency),
              months,
            )}
            currency={account.currency}
            aside={asideIn(accounts, from)}
            words={ACCOUNT.flow}
          />
        </div>
      )}
    </>
  );
}
