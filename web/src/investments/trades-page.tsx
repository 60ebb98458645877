import { NativeSelect } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { Account, AccountRecord } from '#client';
import { TRADE_TYPES } from '../../../src/vocabulary/holdings.ts';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { dayIn } from '../format/moments.ts';
import { DayInput } from '../parts/day-input.tsx';
import { BROKERAGE, TRADES } from '../text/investments.ts';
import { accountOptions, chosenAccounts, UnlinkedAccount } from '../transactions/chosen-accounts.tsx';
import { BrokeragePage } from './brokerage-page.tsx';
import { type TradesSearch, tradesSearch } from './search.ts';
import { TradeList } from './trade-list.tsx';
import classes from './trades.module.css';

const route = getRouteApi(APP_PATHS.trades);
const ALL = 'all';
/** A year, as most brokers report. */
const DAYS_BACK = 365;

export function TradesPage() {
  return (
    <BrokeragePage title={TRADES.title}>
      {(accounts, record) => <Filtered accounts={accounts} record={record} />}
    </BrokeragePage>
  );
}

interface FilteredProps {
  readonly accounts: readonly Account[];
  readonly record: AccountRecord;
}

function Filtered({ accounts, record }: FilteredProps) {
  // The router also passes on what the validation left out.
  const search = route.useSearch({ select: tradesSearch });
  const navigate = route.useNavigate();
  const choose = (name: keyof TradesSearch, value: string) =>
    navigate({
      search: (before) => {
        const { [name]: _, ...others } = before;
        return value === '' || value === ALL ? others : { ...others, [name]: value };
      },
      replace: true,
    });
  const today = dayIn(record.timezone);
  const from = search.from ?? dayIn(record.timezone, -DAYS_BACK);
  const to = search.to ?? today;
  const chosen = chosenAccounts(accounts, search.account);
  const window = { from, to, accounts: chosen.map(({ id }) => id) };
  return (
    <>
      <search className={classes.filters} aria-label={TRADES.filters}>
        <NativeSelect
          className={classes.account ?? ''}
          label={BROKERAGE.account}
          value={search.account ?? ''}
          data={accountOptions(accounts, search.account)}
          onChange={({ currentTarget }) => choose('account', currentTarget.value)}
        />
        <NativeSelect
          className={classes.type ?? ''}
          label={TRADES.type}
          value={search.type ?? ALL}
          data={[ALL, ...TRADE_TYPES].map((value) => ({
            value,
            label: TRADES.types[TRADE_TYPES.find((one) => one === value) ?? ALL],
          }))}
          onChange={({ currentTarget }) => choose('type', currentTarget.value)}
        />
        <DayInput label={TRADES.from} value={from} max={to} onChange={(day) => choose('from', day)} />
        <DayInput label={TRADES.to} value={to} min={from} max={today} onChange={(day) => choose('to', day)} />
      </search>
      {chosen.length === 0 ? (
        <UnlinkedAccount onShowAll={() => choose('account', '')} />
      ) : (
        <TradeList key={JSON.stringify(window)} window={window} accounts={chosen} type={search.type} />
      )}
    </>
  );
}
