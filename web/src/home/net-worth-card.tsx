import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ExchangeRate } from '../../../src/vocabulary/exchange-rates.ts';
import type { ReadAccount } from '../accounts/coverage.ts';
import { CoverageNotes, courseText } from '../accounts/position-card.tsx';
import { appUrl } from '../api/app-url.ts';
import { valueText } from '../format/decimals.ts';
import { rateText } from '../format/exchange.ts';
import { dayText } from '../format/moments.ts';
import { moneyText, shortMoneyText } from '../format/money.ts';
import { ChartTables } from '../parts/chart-table.tsx';
import { keyed } from '../parts/keyed.ts';
import { LineChart } from '../parts/line-chart.tsx';
import { CHARTS } from '../text/charts.ts';
import { HOME } from '../text/home.ts';
import { INSIGHTS } from '../text/insights.ts';
import { PROBLEMS } from '../text/problems.ts';
import classes from './net-worth.module.css';
import { type NetWorth, ownTotal, worthLine } from './net-worth.ts';

const { worth: words } = INSIGHTS;
/** Days between the rows of the table; the chart has them all. */
const WEEK = 7;

interface FiguresProps {
  readonly worth: NetWorth;
  /** The day pointed at in the chart, and what there was then; null for now. */
  readonly then: { readonly day: string; readonly total: bigint } | null;
  /** How it changed, in words. */
  readonly change: string | null;
  /** What is not in the figures, in words. */
  readonly lacks: readonly string[];
}

/** What a person has now, of what it is made, and what of it is in other currencies. */
export function WorthFigures({ worth, then, change, lacks }: FiguresProps) {
  const { currency, apart } = worth;
  const text = (value: bigint) => moneyText(value, currency);
  const made = [
    [words.held, worth.held],
    [words.owed, worth.owed],
    [words.invested, worth.invested],
  ] as const;
  // A single one would be the total again.
  const shown = made.filter(([, value]) => value !== 0n);
  return (
    <>
      <div className={classes.figures}>
        <dl>
          <div>
            <dt className={classes.name}>{words.total(currency.toUpperCase())}</dt>
            {worth.parts.length === 0 ? (
              <dd className={classes.name}>{HOME.unavailable}</dd>
            ) : (
              <>
                <dd className={classes.total}>{text(then?.total ?? worth.total)}</dd>
                <dd className={classes.name}>
                  {[then === null ? words.today : dayText(then.day), change]
                    .filter((part) => part !== null)
                    .join(' · ')}
                </dd>
              </>
            )}
          </div>
        </dl>
        <dl className={classes.made}>
          {(shown.length < 2 ? [] : shown).map(([name, value]) => (
            <div key={name}>
              <dt className={classes.name}>{name}</dt>
              <dd className={classes.amount}>{text(value)}</dd>
            </div>
          ))}
        </dl>
      </div>
      {apart.length === 0 ? null : (
        <dl className={classes.apart}>
          {apart.map((one) => (
            <div key={one.currency}>
              <dt className={classes.name}>{words.total(one.currency.toUpperCase())}</dt>
              <dd className={classes.own}>{valueText(ownTotal(one), one.currency)}</dd>
            </div>
          ))}
        </dl>
      )}
      {lacks.length === 0 ? null : (
        <ul className={classes.lacks}>
          {keyed(lacks, (one) => one).map(([key, one]) => (
            <li key={key}>{one}</li>
          ))}
        </ul>
      )}
    </>
  );
}

interface WorthOverTimeProps {
  readonly worth: NetWorth;
  readonly accounts: readonly ReadAccount[];
  readonly rates: readonly ExchangeRate[];
  readonly from: string;
  readonly today: string;
  readonly lacks: readonly string[];
  /** Retries what could not be read; null if everything was. */
  readonly again: (() => void) | null;
}

/** The figures, and the line of the bank accounts with the investments upon it. */
export function WorthOverTime(props: WorthOverTimeProps) {
  const { worth, accounts, rates, from, today, lacks, again } = props;
  const [looked, setLooked] = useState<number | null>(null);
  const { currency, invested } = worth;
  const { points: line, coverage } = worthLine(accounts, { currency, rates, from, today });
  const points = line.map(({ day, banks }) => ({ day, banks, total: banks + invested }));
  const [first, last] = [points[0], points.at(-1)];
  const shown = looked === null ? last : points[looked];
  const text = (value: bigint) => moneyText(value, currency);
  const label = words.label(currency.toUpperCase());
  const hasBand = invested !== 0n;
  const marks = [first, points[Math.floor(points.length / 2)], last];
  return (
    <>
      <WorthFigures
        worth={worth}
        then={looked === null || shown === undefined ? null : { day: shown.day, total: shown.total }}
        change={
          first === undefined || shown === undefined || shown.day === first.day
            ? null
            : (hasBand ? words.bankChange : words.change)(
                moneyText(shown.banks - first.banks, currency, 'always'),
                dayText(first.day),
              )
        }
        lacks={lacks}
      />
      {first === undefined ? (
        <p className={classes.none}>{INSIGHTS.position.none}</p>
      ) : (
        <>
          <LineChart
            label={label}
            description={courseText(
              points.map(({ day, total }) => ({ day, value: total })),
              text,
            )}
            points={points.map(({ day, banks, total }) => ({
              name: dayText(day),
              value: banks,
              ...(hasBand ? { upper: total } : {}),
            }))}
            text={text}
            axisText={(value) => shortMoneyText(value, currency)}
            marks={
              points.length < 3 ? [] : marks.flatMap((one) => (one === undefined ? [] : [dayText(one.day)]))
            }
            onLook={setLooked}
            tall
          />
          {hasBand ? (
            <ul className={classes.legend} aria-hidden="true">
              <li>{words.banks}</li>
              <li className={classes.dashed}>{words.bandNote}</li>
            </ul>
          ) : null}
          <ChartTables
            tables={[
              {
                caption: label,
                heads: hasBand
                  ? [INSIGHTS.position.day, words.banks, words.withInvested]
                  : [INSIGHTS.position.day, CHARTS.worth],
                rows: points
                  .filter((_, at) => at % WEEK === 0 || at === points.length - 1)
                  .map(({ day, banks, total }) => ({
                    key: day,
                    name: dayText(day),
                    values: hasBand ? [text(banks), text(total)] : [text(total)],
                  })),
              },
              ...(worth.parts.length < 2
                ? []
                : [
                    {
                      caption: words.parts(currency.toUpperCase()),
                      heads: [words.currencyHead, words.ownHead, words.rateHead, CHARTS.worth] as const,
                      rows: worth.parts.map((part) => ({
                        key: part.currency,
                        name: part.currency.toUpperCase(),
                        values: [
                          valueText(part.own, part.currency),
                          part.rate === null ? words.noRate : rateText(part.rate),
                          text(part.value),
                        ],
                      })),
                    },
                  ]),
            ]}
          />
        </>
      )}
      <CoverageNotes
        coverage={coverage}
        start={first?.day ?? null}
        how={[CHARTS.worthHow, ...(hasBand ? [words.level] : []), ...currencyNotes(worth)]}
        end={<ApartNote worth={worth} />}
      />
      {again === null ? null : (
        <div className={classes.again}>
          <Button size="xs" variant="default" onClick={again}>
            {PROBLEMS.again}
          </Button>
        </div>
      )}
    </>
  );
}

/** What there is to say of a net worth without bank accounts. */
export function WorthNotes({ worth }: { readonly worth: NetWorth }) {
  return (
    <ul className={classes.notes}>
      {[words.noLine, ...currencyNotes(worth)].map((text) => (
        <li key={text}>{text}</li>
      ))}
      <ApartNote worth={worth} />
    </ul>
  );
}

/** By which rates other currencies are in a net worth. */
function currencyNotes({ parts }: NetWorth): readonly string[] {
  const used = parts.flatMap(({ rate }) => (rate === null ? [] : [rateText(rate)]));
  return used.length === 0 ? [] : [words.rates(used)];
}

/** Why other currencies are not in a net worth, and what can be done about it. */
function ApartNote({ worth: { currency, apart } }: { readonly worth: NetWorth }) {
  if (apart.length === 0) return null;
  const names = apart.map((one) => one.currency.toUpperCase());
  return (
    <li>
      {`${words.apart(names, currency.toUpperCase())} `}
      <a href={appUrl('docs/configuration#exchange-rates').href} target="_blank" rel="noreferrer">
        {words.ratesGuide}
      </a>
    </li>
  );
}
