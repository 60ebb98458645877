import { Button } from '@mantine/core';
import { useState } from 'react';
import { dayText } from '../format/moments.ts';
import { moneyText, shortMoneyText } from '../format/money.ts';
import { Card } from '../parts/card.tsx';
import classes from '../parts/insights.module.css';
import { LineChart, ValuesTable } from '../parts/line-chart.tsx';
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
export function PositionCard({ accounts, currency, from, today, again, words }: PositionCardProps) {
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
            points={points.map(({ day, amount }) => ({ name: dayText(day), value: amount }))}
            text={text}
            axisText={(value) => shortMoneyText(value, currency)}
            marks={
              points.length < 3 ? [] : marks.flatMap((one) => (one === undefined ? [] : [dayText(one.day)]))
            }
            onLook={setLooked}
          />
          <ValuesTable
            caption={words.label(currency.toUpperCase())}
            heads={[position.day, words.value]}
            rows={points
              .filter((_, at) => at % WEEK === 0 || at === points.length - 1)
              .map(({ day, amount }) => [dayText(day), text(amount)])}
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
    </Card>
  );
}

interface CoverageNotesProps {
  readonly coverage: Coverage;
  /** The day with which the line begins. */
  readonly start: string | null;
}

/** The accounts that the line does not cover. */
function CoverageNotes({ coverage, start }: CoverageNotesProps) {
  const { notes } = INSIGHTS;
  const lines = [
    { names: coverage.unread, text: notes.unread },
    { names: coverage.withoutBalance, text: notes.withoutBalance },
    { names: coverage.unverified, text: notes.unverified },
    { names: start === null ? [] : coverage.short, text: notes.short(dayText(start ?? '1970-01-01')) },
    { names: coverage.still, text: notes.still },
  ].filter(({ names }) => names.length > 0);
  return (
    <ul className={classes.notes}>
      <li>{notes.how}</li>
      {lines.map(({ names, text }) => (
        <li key={text}>{`${text} ${notes.names(names)}`}</li>
      ))}
    </ul>
  );
}
