import { useState } from 'react';
import type { AccountAside } from '../api/held-rows.ts';
import { monthText, shortMonthText } from '../format/moments.ts';
import { moneyText } from '../format/money.ts';
import { Card } from '../parts/card.tsx';
import { ChartTables } from '../parts/chart-table.tsx';
import { FlowChart } from '../parts/flow-chart.tsx';
import { RowsAside } from '../parts/rows-aside.tsx';
import classes from './account.module.css';
import type { Flow } from './money-flow.ts';

interface FlowCardProps {
  /** By month, oldest first. */
  readonly flows: ReadonlyMap<string, Flow>;
  readonly currency: string;
  /** Rows that the figures are without. */
  readonly aside: readonly AccountAside[];
  readonly words: FlowWords;
}

interface FlowWords {
  readonly title: string;
  readonly label: string;
  readonly in: string;
  readonly out: string;
  readonly net: string;
  readonly column: (month: string, moneyIn: string, moneyOut: string) => string;
  readonly note: string;
  readonly month: string;
  readonly description: (moneyIn: string, moneyOut: string, months: number) => string;
}

/** Money in and out by month; the figures are those of the month chosen, at first the latest. */
export function FlowCard({ flows, currency, aside, words }: FlowCardProps) {
  const [wanted, setWanted] = useState<string | null>(null);
  const months = [...flows.keys()];
  const month = wanted ?? months.at(-1) ?? '';
  const flowOf = (key: string) => flows.get(key) ?? { in: 0n, out: 0n };
  const shown = flowOf(month);
  const text = (value: bigint) => moneyText(value, currency);
  const sumOf = (way: keyof Flow) => months.reduce((sum, key) => sum + flowOf(key)[way], 0n);
  const figures = [
    [words.in, text(shown.in), classes.in],
    [words.out, text(shown.out), classes.out],
    [words.net, moneyText(shown.in - shown.out, currency, 'always'), ''],
  ] as const;
  return (
    <Card title={words.title} aside={monthText(month)}>
      <dl className={classes.readout} aria-live="polite">
        {figures.map(([name, value, key]) => (
          <div key={name}>
            <dt className={`${classes.name} ${key}`}>{name}</dt>
            <dd className={classes.figure}>{value}</dd>
          </div>
        ))}
      </dl>
      <FlowChart
        label={words.label}
        description={words.description(text(sumOf('in')), text(sumOf('out')), months.length)}
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
      <ChartTables
        tables={[
          {
            caption: words.label,
            heads: [words.month, words.in, words.out, words.net],
            rows: months.map((key) => {
              const { in: moneyIn, out } = flowOf(key);
              return {
                key,
                name: monthText(key),
                values: [text(moneyIn), text(out), moneyText(moneyIn - out, currency, 'always')],
              };
            }),
          },
        ]}
      />
      <RowsAside accounts={aside} />
      <p className={classes.note}>{words.note}</p>
    </Card>
  );
}
