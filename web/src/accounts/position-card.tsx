import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { dayText } from '../format/moments.ts';
import { moneyText, shortMoneyText } from '../format/money.ts';
import { Card } from '../parts/card.tsx';
import { ChartTables } from '../parts/chart-table.tsx';
import classes from '../parts/insights.module.css';
import { LineChart } from '../parts/line-chart.tsx';
import { RowsAside } from '../parts/rows-aside.tsx';
import { INSIGHTS } from '../text/insights.ts';
import { PROBLEMS } from '../text/problems.ts';
import { type Coverage, coverageOf, type ReadAccount } from './coverage.ts';
import { netPosition, readFrom } from './net-position.ts';

interface PositionCardProps {
  readonly accounts: readonly ReadAccount[];
  readonly currency: string;
  readonly from: string;
  readonly today: string;
  /** Retries what could not be read; null if everything was. */
  readonly again: (() => void) | null;
  readonly words: PositionWords;
  /** What there is to say at the end. */
  readonly children?: ReactNode;
}

interface PositionWords {
  readonly title: string;
  readonly label: (currency: string) => string;
  /** Where there is nothing to draw. */
  readonly none: string;
  readonly value: string;
}

/** Days between the rows of the table; the chart has them all. */
const WEEK = 7;

/** What the accounts of one currency held at the end of each day. */
export function PositionCard({ accounts, currency, from, today, again, words, children }: PositionCardProps) {
  const [looked, setLooked] = useState<number | null>(null);
  const { position } = INSIGHTS;
  const coverage = coverageOf(accounts, currency, readFrom(from));
  const points = netPosition(coverage.known, { from, today });
  const first = points[0];
  const shown = points[looked ?? points.length - 1] ?? points.at(-1);
  const text = (value: bigint) => moneyText(value, currency);
  const marks = [points[0], points[Math.floor(points.length / 2)], points.at(-1)];
  return (
    <Card title={words.title} aside={currency.toUpperCase()}>
      {first === undefined || shown === undefined ? (
        <p className={classes.none}>{words.none}</p>
      ) : (
        <>
          <div className={classes.readout}>
            <p className={classes.figure}>{text(shown.amount)}</p>
            <p className={classes.aside}>
              {shown.day === today ? position.today : dayText(shown.day)}
              {shown.day === first.day
                ? ''
                : ` · ${position.since(moneyText(shown.amount - first.amount, currency, 'always'), dayText(first.day))}`}
            </p>
          </div>
          <LineChart
            label={words.label(currency.toUpperCase())}
            description={courseText(
              points.map(({ day, amount }) => ({ day, value: amount })),
              text,
            )}
            points={points.map(({ day, amount }) => ({ name: dayText(day), value: amount }))}
            text={text}
            axisText={(value) => shortMoneyText(value, currency)}
            marks={
              points.length < 3 ? [] : marks.flatMap((one) => (one === undefined ? [] : [dayText(one.day)]))
            }
            onLook={setLooked}
          />
          <ChartTables
            tables={[
              {
                caption: words.label(currency.toUpperCase()),
                heads: [position.day, words.value],
                rows: points
                  .filter((_, at) => at % WEEK === 0 || at === points.length - 1)
                  .map(({ day, amount }) => ({ key: day, name: dayText(day), values: [text(amount)] })),
              },
            ]}
          />
        </>
      )}
      <CoverageNotes coverage={coverage} start={first?.day ?? null} />
      {again === null ? null : (
        <div className={classes.again}>
          <Button size="xs" variant="default" onClick={again}>
            {PROBLEMS.again}
          </Button>
        </div>
      )}
      {children}
    </Card>
  );
}

/** How a line over time runs, in words: where it begins and ends, and its lowest and highest days. */
export function courseText(
  points: readonly { readonly day: string; readonly value: bigint }[],
  text: (value: bigint) => string,
): string {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return '';
  const of = (better: (a: bigint, b: bigint) => boolean) =>
    points.reduce((found, one) => (better(one.value, found.value) ? one : found), first);
  const [low, high] = [of((a, b) => a < b), of((a, b) => a > b)];
  const said = ({ day, value }: typeof first) => ({ day: dayText(day), value: text(value) });
  return INSIGHTS.position.course(said(first), said(last), said(low), said(high));
}

interface CoverageNotesProps {
  readonly coverage: Omit<Coverage, 'known'>;
  /** How the line comes about. */
  readonly how?: readonly string[];
  /** An entry at the end. */
  readonly end?: ReactNode;
  /** The day with which the line begins. */
  readonly start: string | null;
}

/** How the line comes about, and the accounts that it does not cover. */
export function CoverageNotes({ coverage, start, how = [INSIGHTS.notes.how], end }: CoverageNotesProps) {
  const { notes } = INSIGHTS;
  const lines = [
    { names: coverage.unread, text: notes.unread },
    { names: coverage.withoutBalance, text: notes.withoutBalance },
    { names: coverage.unverified, text: notes.unverified },
    { names: start === null ? [] : coverage.short, text: notes.short(dayText(start ?? '1970-01-01')) },
    { names: coverage.still, text: notes.still },
  ].filter(({ names }) => names.length > 0);
  return (
    <>
      <RowsAside accounts={coverage.aside} />
      <ul className={classes.notes}>
        {how.map((text) => (
          <li key={text}>{text}</li>
        ))}
        {lines.map(({ names, text }) => (
          <li key={text}>{`${text} ${notes.names(names)}`}</li>
        ))}
        {end}
      </ul>
    </>
  );
}
