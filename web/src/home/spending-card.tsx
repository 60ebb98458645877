import { ActionIcon, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { primaryCategoryOf, primaryLabel } from '../../../src/vocabulary/provider-categories.ts';
import type { ReadAccount } from '../accounts/coverage.ts';
import { FlowCard } from '../accounts/flow-card.tsx';
import type { LinkedAccount } from '../accounts/linked-accounts.ts';
import { categoryNames } from '../api/categories.ts';
import { monthText, shortMonthText } from '../format/moments.ts';
import { moneyText, shortMoneyText } from '../format/money.ts';
import { Card } from '../parts/card.tsx';
import { ColumnsChart } from '../parts/columns-chart.tsx';
import { Icon } from '../parts/icon.tsx';
import classes from '../parts/insights.module.css';
import { ShareList } from '../parts/share-list.tsx';
import { INSIGHTS } from '../text/insights.ts';
import { budgetByMonth, spendingByMonth } from './spending.ts';

interface SpendingCardProps {
  readonly linked: readonly LinkedAccount[];
  readonly accounts: readonly ReadAccount[];
  readonly currency: string;
  /** Oldest first. */
  readonly months: readonly string[];
}

/** As many months side by side as fit on a phone. */
const COLUMNS = 6;
const LARGEST = 8;

/** Where the money of one currency went, by month and by category. */
export function SpendingCard({ linked, accounts, currency, months }: SpendingCardProps) {
  const [wanted, setWanted] = useState<string | null>(null);
  const [isWhole, setWhole] = useState(false);
  const { data: names } = useQuery(categoryNames);
  const { spending } = INSIGHTS;
  const of = (type: string) =>
    linked.filter(({ account }) => account.type === type).map(({ account }) => account.id);
  const rules = { loans: new Set(of('loan')), hasCards: of('credit-card').length > 0 };
  const movements = accounts
    .flatMap(({ history }) => history?.movements ?? [])
    .filter((movement) => movement.currency === currency);
  const byMonth = spendingByMonth(movements, months, rules);
  const at = wanted === null ? months.length - 1 : Math.max(0, months.indexOf(wanted));
  const month = months[at] ?? '';
  const { total, categories } = byMonth.get(month) ?? { total: 0n, categories: [] };
  const shown = isWhole ? categories : categories.slice(0, LARGEST);
  const columns = months.slice(Math.min(at, Math.max(0, months.length - COLUMNS))).slice(0, COLUMNS);
  const text = (value: bigint) => moneyText(value, currency);
  const nameOf = (category: string | null) => {
    if (category === null) return spending.uncategorised;
    const primary = primaryCategoryOf(category);
    return names?.get(category) ?? (primary === null ? spending.unnamed : primaryLabel(primary));
  };
  const missing = accounts.some(({ history }) => history === null);
  const short = accounts.some(({ history }) => history !== null && history.from > `${month}-01`);
  return (
    <>
      <FlowCard flows={budgetByMonth(movements, months, rules)} currency={currency} words={INSIGHTS.budget} />
      <Card title={spending.title} aside={currency.toUpperCase()}>
        <div className={classes.month}>
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={spending.earlier}
            disabled={at === 0}
            onClick={() => setWanted(months[at - 1] ?? month)}
          >
            <Icon name="back" size={16} />
          </ActionIcon>
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={spending.later}
            disabled={at === months.length - 1}
            onClick={() => setWanted(months[at + 1] ?? month)}
          >
            <Icon name="chevron" size={16} />
          </ActionIcon>
          <p className={classes.monthWords} role="status">
            <span className={classes.figure}>{text(total)}</span>
            <span className={classes.aside}>{monthText(month)}</span>
          </p>
        </div>
        <div className={classes.halves}>
          <ColumnsChart
            label={spending.byMonth}
            columns={columns.map((key) => ({
              key,
              short: shortMonthText(key),
              name: monthText(key),
              value: byMonth.get(key)?.total ?? 0n,
            }))}
            text={text}
            axisText={(value) => shortMoneyText(value, currency)}
            chosen={month}
            onChoose={setWanted}
          />
          {categories.length === 0 ? (
            <p className={classes.none}>{spending.none(monthText(month))}</p>
          ) : (
            <div>
              <ShareList
                label={spending.byCategory(monthText(month))}
                shares={shown.map(([category, value]) => ({
                  key: category ?? 'none',
                  name: nameOf(category),
                  value,
                }))}
                text={text}
              />
              {categories.length <= LARGEST ? null : (
                <div className={classes.again}>
                  <Button size="xs" variant="default" onClick={() => setWhole(!isWhole)}>
                    {isWhole ? spending.fewer : spending.all(categories.length)}
                  </Button>
                </div>
              )}
            </div>
          )}
        </div>
        <ul className={classes.notes}>
          <li>{rules.hasCards ? spending.leftOutWithCards : spending.leftOut}</li>
          {missing ? <li>{spending.missing}</li> : null}
          {short ? <li>{spending.short}</li> : null}
        </ul>
      </Card>
    </>
  );
}
