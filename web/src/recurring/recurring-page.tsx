import { Button } from '@mantine/core';
import { type ReactNode, useCallback, useState } from 'react';
import { moneyText } from '../format/money.ts';
import { Card } from '../parts/card.tsx';
import { Page } from '../parts/page.tsx';
import { Empty } from '../parts/page-states.tsx';
import rows from '../parts/rows.module.css';
import { useSteps } from '../parts/use-steps.ts';
import { RECURRING } from '../text/recurring.ts';
import { TransactionTabs } from '../transactions/transaction-tabs.tsx';
import { ExpectedList } from './expected-list.tsx';
import classes from './recurring.module.css';
import { type Series, seriesIn } from './series.ts';
import { SeriesList, yearly } from './series-list.tsx';
import { expectedIn, totalsOf } from './upcoming.ts';
import { LoadingYear, WithYear, type Year } from './year.tsx';

export function RecurringPage() {
  return (
    <Page title={RECURRING.title}>
      <TransactionTabs />
      <WithYear>{(year) => <Found {...year} />}</WithYear>
    </Page>
  );
}

function Found({ movements, today, nameOf, rules }: Year) {
  const series = useSteps(useCallback(() => seriesIn(movements, rules, today), [movements, rules, today]));
  if (series === null) return <LoadingYear />;
  if (series.length === 0) return <Empty title={RECURRING.none} text={RECURRING.noneText} />;
  const active = series.filter(({ next }) => next !== null).toSorted(costliestFirst);
  const ended = series.filter(({ next }) => next === null).toSorted(latestFirst);
  const out = active.filter(({ direction }) => direction === 'out');
  const comesIn = active.filter(({ direction }) => direction === 'in');
  return (
    <>
      <Upcoming series={active} today={today} nameOf={nameOf} />
      <Card title={RECURRING.payments}>
        {out.length === 0 ? (
          <p className={classes.none}>{RECURRING.paymentsNone}</p>
        ) : (
          <Limited all={out}>
            {(shown) => <SeriesList label={RECURRING.payments} series={shown} nameOf={nameOf} />}
          </Limited>
        )}
      </Card>
      {comesIn.length === 0 ? null : (
        <Card title={RECURRING.income}>
          <Limited all={comesIn}>
            {(shown) => <SeriesList label={RECURRING.income} series={shown} nameOf={nameOf} />}
          </Limited>
        </Card>
      )}
      {ended.length === 0 ? null : (
        <Card title={RECURRING.ended}>
          <Limited all={ended} at={FEW_SHOWN}>
            {(shown) => <SeriesList label={RECURRING.ended} series={shown} nameOf={nameOf} />}
          </Limited>
        </Card>
      )}
      <p className={classes.note}>{RECURRING.note}</p>
    </>
  );
}

const DAYS = 30;
const SHOWN = 20;
const FEW_SHOWN = 5;

function Upcoming({
  series,
  today,
  nameOf,
}: Pick<Year, 'today' | 'nameOf'> & { readonly series: readonly Series[] }) {
  const expected = expectedIn(series, today, DAYS);
  return (
    <Card title={RECURRING.upcoming}>
      {expected.length === 0 ? (
        <p className={classes.none}>{RECURRING.upcomingNone}</p>
      ) : (
        <>
          <dl className={classes.totals}>
            {totalsOf(expected).flatMap(({ currency, out, in: comesIn }) =>
              [
                { name: RECURRING.out(currency.toUpperCase()), sum: out },
                { name: RECURRING.in(currency.toUpperCase()), sum: comesIn },
              ]
                .filter(({ sum }) => sum !== 0n)
                .map(({ name, sum }) => (
                  <div key={name}>
                    <dt className={rows.detail}>{name}</dt>
                    <dd className={classes.total}>{RECURRING.total(moneyText(sum, currency))}</dd>
                  </div>
                )),
            )}
          </dl>
          <Limited all={expected}>
            {(shown) => (
              <ExpectedList label={RECURRING.upcoming} expected={shown} today={today} nameOf={nameOf} />
            )}
          </Limited>
        </>
      )}
      <p className={classes.cardNote}>{RECURRING.upcomingNote}</p>
    </Card>
  );
}

interface LimitedProps<T> {
  readonly all: readonly T[];
  /** How many are shown until the rest is asked for. */
  readonly at?: number;
  readonly children: (shown: readonly T[]) => ReactNode;
}

/** The first of a list, and the rest when asked for. */
function Limited<T>({ all, at = SHOWN, children }: LimitedProps<T>) {
  const [isWhole, setWhole] = useState(false);
  return (
    <>
      {children(isWhole ? all : all.slice(0, at))}
      {all.length <= at ? null : (
        <div className={rows.more}>
          <Button variant="default" size="xs" onClick={() => setWhole(!isWhole)}>
            {isWhole ? RECURRING.fewer : RECURRING.all(all.length)}
          </Button>
        </div>
      )}
    </>
  );
}

/** Amounts of different currencies are not compared: those of one are together. */
function costliestFirst(a: Series, b: Series): number {
  if (a.currency !== b.currency) return a.currency < b.currency ? -1 : 1;
  const [one, other] = [yearly(a), yearly(b)];
  return one === other ? 0 : one < other ? 1 : -1;
}

function latestFirst(a: Series, b: Series): number {
  const [one, other] = [a.payments.at(-1)?.day ?? '', b.payments.at(-1)?.day ?? ''];
  return one === other ? 0 : one < other ? 1 : -1;
}
