import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Fragment, useCallback, useMemo, useState } from 'react';
import type { Account, Category } from '#client';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { FlowCard } from '../accounts/flow-card.tsx';
import { MOST_ROWS } from '../accounts/histories.ts';
import { flowByMonth } from '../accounts/money-flow.ts';
import type { Movement } from '../accounts/net-position.ts';
import { useSpendingRules } from '../accounts/use-spending-rules.ts';
import { accounts as accountList } from '../api/accounts.ts';
import { categories } from '../api/categories.ts';
import type { AccountAside } from '../api/held-rows.ts';
import { me } from '../api/me.ts';
import { accountLabel } from '../format/account-names.ts';
import { dayAway, monthsUntil } from '../format/days.ts';
import { dayIn } from '../format/moments.ts';
import { moneyText } from '../format/money.ts';
import { LinkButton } from '../parts/buttons.tsx';
import { Card, Facts } from '../parts/card.tsx';
import { Choices } from '../parts/fields.tsx';
import { Back, Page } from '../parts/page.tsx';
import { Empty, LoadingRows, Problem } from '../parts/page-states.tsx';
import { useSteps } from '../parts/use-steps.ts';
import { SeriesList } from '../recurring/series-list.tsx';
import { bankAccounts, yearFrom } from '../recurring/year.tsx';
import { MERCHANTS } from '../text/merchants.ts';
import { RECURRING } from '../text/recurring.ts';
import { banksOf, WithAccounts } from '../transactions/chosen-accounts.tsx';
import { AsideNotes, FailedBanks, TransactionList } from '../transactions/transaction-list.tsx';
import { type TransactionRows, useTransactionRows } from '../transactions/use-transaction-rows.ts';
import { MerchantCategories } from './merchant-categories.tsx';
import { type MerchantRows, merchantRows } from './merchant-rows.ts';
import { searchFor } from './merchant-sums.ts';
import classes from './merchants.module.css';

const EXPECTED = 6;
const MONTHS = 12;
/** As far back as the list of all transactions searches without asking. */
const SEARCHED_DAYS = 365;
const NO_ACCOUNTS: readonly Account[] = [];
const NO_CATEGORIES: readonly Category[] = [];
const route = getRouteApi(APP_PATHS.merchant);

export function MerchantPage() {
  const { merchant: key } = route.useParams();
  const { data: listed = NO_ACCOUNTS } = useQuery(accountList);
  const zone = useQuery(me).data?.timezone;
  const { data: tree = NO_CATEGORIES } = useQuery(categories);
  const accounts = useMemo(() => bankAccounts(listed), [listed]);
  const rules = useSpendingRules(accounts);
  const today = dayIn(zone ?? 'UTC');
  // Without a bank, nothing is read: the zone says which days to read.
  const banks = zone === undefined ? [] : banksOf(accounts);
  const read = useTransactionRows({ from: yearFrom(today), to: today, banks, mostRows: MOST_ROWS }, true);
  const { rows: among } = read;
  const last = useSteps(
    useCallback(() => merchantRows(among, key, rules, today), [among, key, rules, today]),
  );
  // Until the rows have been looked at, it is still that of the rows before, or another merchant.
  const found = last?.key === key && last.names.length > 0 ? last : null;
  const isSearched = last?.key === key && last.among === among;
  const [name = MERCHANTS.merchant] = found?.names ?? [];
  return (
    <Page title={name}>
      <Back to={APP_PATHS.merchants}>{MERCHANTS.back}</Back>
      <WithAccounts expected={EXPECTED}>
        {() =>
          found !== null ? (
            <Fragment key={key}>
              <Lacking read={read} accounts={accounts} />
              <Sums found={found} accounts={accounts} today={today} />
              <MerchantCategories
                name={name}
                rows={found.rows}
                read={read}
                accounts={accounts}
                categories={tree}
              />
              <h2 className={classes.title}>{MERCHANTS.transactions}</h2>
              <p className={classes.note}>{MERCHANTS.listNote}</p>
              <TransactionList
                read={{ ...read, ...SAID_ABOVE }}
                only={found.rows}
                accounts={accounts}
                categories={tree}
                search={NO_SEARCH}
                action={
                  <LinkButton
                    to={APP_PATHS.transactions}
                    search={{ from: dayAway(today, -SEARCHED_DAYS), q: searchFor(found.names) }}
                    variant="default"
                  >
                    {MERCHANTS.filtered}
                  </LinkButton>
                }
              />
            </Fragment>
          ) : read.error !== null ? (
            <Problem error={read.error} again={read.again} />
          ) : read.busy || !isSearched ? (
            <LoadingRows count={EXPECTED} />
          ) : (
            <>
              <Lacking read={read} accounts={accounts} />
              {read.failed.length > 0 ? null : (
                <Empty
                  title={MERCHANTS.missing}
                  text={read.short.length > 0 ? MERCHANTS.missingShort : MERCHANTS.missingText}
                />
              )}
            </>
          )
        }
      </WithAccounts>
    </Page>
  );
}

const NO_SEARCH = {};
const SAID_ABOVE: Pick<TransactionRows, 'failed' | 'aside'> = { failed: [], aside: new Map() };

const SAID_ABOVE_FLOWS: readonly AccountAside[] = [];

interface LackingProps {
  readonly read: TransactionRows;
  readonly accounts: readonly Account[];
}

/** What is not in the rows, and so in no sum of them. */
function Lacking({ read, accounts }: LackingProps) {
  const short = accounts.filter(({ id }) => read.short.includes(id));
  return (
    <>
      <FailedBanks read={read} />
      <AsideNotes read={read} accounts={accounts} />
      {short.length === 0 ? null : <p className={classes.note}>{RECURRING.short(short.map(accountLabel))}</p>}
    </>
  );
}

interface SumsProps {
  readonly found: MerchantRows;
  readonly accounts: readonly Account[];
  readonly today: string;
}

/** What was paid and received, and what of it comes regularly. */
function Sums({ found: { movements, series }, accounts, today }: SumsProps) {
  const [wanted, setWanted] = useState<string | null>(null);
  const names = new Map(accounts.map((account) => [account.id, accountLabel(account)]));
  const months = monthsUntil(today, MONTHS);
  const currencies = [...Map.groupBy(movements, ({ currency }) => currency)].toSorted(
    ([, a], [, b]) => b.length - a.length,
  );
  const [currency, own] = currencies.find(([one]) => one === wanted) ?? currencies[0] ?? [null, []];
  return (
    <>
      <Card title={MERCHANTS.totals}>
        <Facts facts={factsOf(currencies, months)} />
      </Card>
      {series.length === 0 ? null : (
        <Card title={MERCHANTS.recurring}>
          <SeriesList
            label={MERCHANTS.recurring}
            series={series}
            nameOf={(account) => names.get(account) ?? ''}
            linked={false}
          />
        </Card>
      )}
      <Choices
        label={MERCHANTS.currency}
        choices={currencies.map(([value]) => ({ value, name: value.toUpperCase() }))}
        chosen={currency ?? ''}
        onChoose={setWanted}
      />
      {currency === null ? null : (
        <FlowCard
          key={currency}
          flows={flowByMonth(own, months)}
          currency={currency}
          aside={SAID_ABOVE_FLOWS}
          words={MERCHANTS.months}
        />
      )}
    </>
  );
}

function factsOf(
  currencies: readonly (readonly [currency: string, movements: readonly Movement[]])[],
  months: readonly string[],
) {
  const month = months.at(-1) ?? '';
  const sums = currencies.map(([currency, movements]) => {
    const flows = flowByMonth(movements, months);
    const year = [...flows.values()];
    const sum = (way: 'in' | 'out') => year.reduce((all, flow) => all + flow[way], 0n);
    return {
      currency,
      now: flows.get(month) ?? { in: 0n, out: 0n },
      year: { in: sum('in'), out: sum('out') },
    };
  });
  const text = (over: 'now' | 'year', way: 'in' | 'out') =>
    sums
      .filter((one) => one.year[way] !== 0n)
      .map((one) => moneyText(one[over][way], one.currency))
      .join(' · ');
  return [
    [MERCHANTS.paidMonth, text('now', 'out')],
    [MERCHANTS.paidYear, text('year', 'out')],
    [MERCHANTS.receivedMonth, text('now', 'in')],
    [MERCHANTS.receivedYear, text('year', 'in')],
  ] as const;
}
