import { ActionIcon, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { primaryCategoryOf, primaryLabel } from '../../../src/vocabulary/provider-categories.ts';
import { asideIn, type ReadAccount } from '../accounts/coverage.ts';
import { FlowCard } from '../accounts/flow-card.tsx';
import type { LinkedAccount } from '../accounts/linked-accounts.ts';
import type { Movement } from '../accounts/net-position.ts';
import { useSpendingRules } from '../accounts/use-spending-rules.ts';
import { categoryNames } from '../api/categories.ts';
import { monthText, shortMonthText } from '../format/moments.ts';
import { moneyText, shortMoneyText } from '../format/money.ts';
import { percentText } from '../format/numbers.ts';
import { Card } from '../parts/card.tsx';
import { ChartTables } from '../parts/chart-table.tsx';
import { ColumnsChart } from '../parts/columns-chart.tsx';
import { Icon } from '../parts/icon.tsx';
import classes from '../parts/insights.module.css';
import { RowsAside } from '../parts/rows-aside.tsx';
import { partOf, ShareList } from '../parts/share-list.tsx';
import { INSIGHTS } from '../text/insights.ts';
import { CategoryDetail } from './category-detail.tsx';
import { budgetByMonth, type MonthSpending, spendingByMonth } from './spending.ts';

/** What was read of one currency. */
export interface Spent {
  readonly linked: readonly LinkedAccount[];
  readonly accounts: readonly ReadAccount[];
  readonly currency: string;
  /** Oldest first. */
  readonly months: readonly string[];
  readonly today: string;
}

const LARGEST = 8;
const NOTHING: MonthSpending = { total: 0n, categories: [] };
const { spending } = INSIGHTS;

/** Income against spending by month. */
export function BudgetCard(spent: Spent) {
  const flows = budgetByMonth(movementsIn(spent), spent.months, useRulesOf(spent));
  const aside = asideIn(spent.accounts, `${spent.months[0]}-01`);
  return <FlowCard flows={flows} currency={spent.currency} aside={aside} words={INSIGHTS.budget} />;
}

function movementsIn({ accounts, currency }: Spent): readonly Movement[] {
  return accounts
    .flatMap(({ history }) => history?.movements ?? [])
    .filter((movement) => movement.currency === currency);
}

function useRulesOf({ linked }: Spent) {
  return useSpendingRules(useMemo(() => linked.map(({ account }) => account), [linked]));
}

/** Where the money of one currency went, in a month and in which categories. */
export function SpendingCard(spent: Spent) {
  const { accounts, currency, months } = spent;
  const [wanted, setWanted] = useState<string | null>(null);
  const [opened, setOpened] = useState<string | null>(null);
  const { data: names } = useQuery(categoryNames);
  const rules = useRulesOf(spent);
  const all = accounts.flatMap(({ history }) => history?.movements ?? []);
  const movements = movementsIn(spent);
  const byMonth = spendingByMonth(movements, months, rules);
  const at = wanted === null ? months.length - 1 : Math.max(0, months.indexOf(wanted));
  const month = months[at] ?? '';
  const { total, categories } = byMonth.get(month) ?? NOTHING;
  const text = (value: bigint) => moneyText(value, currency);
  const totalOf = (key: string) => byMonth.get(key)?.total ?? 0n;
  const nameOf = (category: string | null) => {
    if (category === null) return spending.uncategorised;
    const primary = primaryCategoryOf(category);
    return names?.get(category) ?? (primary === null ? spending.unnamed : primaryLabel(primary));
  };
  const open = categories.find(([category]) => keyOf(category) === opened);
  const others = [...new Set(all.map((movement) => movement.currency))]
    .filter((other) => other !== currency)
    .map((other) => {
      const own = all.filter((movement) => movement.currency === other);
      return { other, spent: spendingByMonth(own, [month], rules).get(month)?.total ?? 0n };
    })
    .filter(({ spent }) => spent !== 0n)
    .map(({ other, spent }) => moneyText(spent, other));
  const missing = accounts.some(({ history }) => history === null);
  const short = accounts.some(({ history }) => history !== null && history.from > `${month}-01`);
  return (
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
          description={describe(
            months.map((key) => ({ key, value: totalOf(key) })),
            text,
          )}
          columns={months.map((key) => ({
            key,
            short: shortMonthText(key),
            name: monthText(key),
            value: totalOf(key),
          }))}
          text={text}
          axisText={(value) => shortMoneyText(value, currency)}
          chosen={month}
          onChoose={setWanted}
        />
        {open !== undefined ? (
          <CategoryDetail
            key={`${month} ${opened}`}
            category={open[0]}
            name={nameOf(open[0])}
            month={month}
            currency={currency}
            movements={movements}
            rules={rules}
            onBack={() => setOpened(null)}
          />
        ) : categories.length === 0 ? (
          <p className={classes.none}>{spending.none(monthText(month))}</p>
        ) : (
          <Categories
            label={spending.byCategory(monthText(month))}
            spent={{ total, categories }}
            nameOf={nameOf}
            text={text}
            onOpen={setOpened}
          />
        )}
      </div>
      <ChartTables
        tables={[
          {
            caption: spending.byMonth,
            heads: [spending.monthHead, spending.amountHead],
            rows: months.map((key) => ({ key, name: monthText(key), values: [text(totalOf(key))] })),
          },
          {
            caption: spending.byCategory(monthText(month)),
            heads: [spending.categoryHead, spending.amountHead, spending.shareHead],
            rows: categories.map(([category, value]) => ({
              key: keyOf(category),
              name: nameOf(category),
              values: [text(value), total > 0n ? percentText(partOf(value, total)) : ''],
            })),
          },
        ]}
      />
      <RowsAside accounts={asideIn(accounts, `${months[0]}-01`)} />
      <ul className={classes.notes}>
        <li>{rules.hasCards ? spending.leftOutWithCards : spending.leftOut}</li>
        {others.length === 0 ? null : <li>{spending.otherCurrencies(others, monthText(month))}</li>}
        {missing ? <li>{spending.missing}</li> : null}
        {short ? <li>{spending.short}</li> : null}
      </ul>
    </Card>
  );
}

interface CategoriesProps {
  readonly label: string;
  readonly spent: MonthSpending;
  readonly nameOf: (category: string | null) => string;
  readonly text: (value: bigint) => string;
  readonly onOpen: (key: string) => void;
}

/** The categories of a month, each of which opens. */
function Categories({ label, spent: { total, categories }, nameOf, text, onOpen }: CategoriesProps) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? categories : categories.slice(0, LARGEST);
  return (
    <div>
      <ShareList
        label={label}
        shares={shown.map(([category, value]) => ({ key: keyOf(category), name: nameOf(category), value }))}
        text={text}
        whole={total}
        open={({ key, name }, className) => (
          <button
            type="button"
            className={className}
            aria-label={spending.open(name)}
            onClick={() => onOpen(key)}
          >
            {name}
          </button>
        )}
      />
      {categories.length <= LARGEST ? null : (
        <div className={classes.again}>
          <Button size="xs" variant="default" onClick={() => setWhole(!isWhole)}>
            {isWhole ? spending.fewer : spending.all(categories.length)}
          </Button>
        </div>
      )}
    </div>
  );
}

/** In a list, what is in no category is one entry among the others. */
function keyOf(category: string | null): string {
  return category ?? 'none';
}

function describe(
  columns: readonly { readonly key: string; readonly value: bigint }[],
  text: (value: bigint) => string,
): string {
  const highest = columns.reduce(
    (most, one) => (one.value > most.value ? one : most),
    columns[0] ?? { key: '', value: 0n },
  );
  const sum = columns.reduce((all, { value }) => all + value, 0n);
  const average = columns.length === 0 ? 0n : sum / BigInt(columns.length);
  return spending.description(monthText(highest.key), text(highest.value), text(average));
}
