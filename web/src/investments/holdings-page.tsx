import { NativeSelect, VisuallyHidden } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Account } from '#client';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { holdings } from '../api/accounts.ts';
import { Empty, LoadingRows, Problem } from '../parts/page-states.tsx';
import { RowsAside } from '../parts/rows-aside.tsx';
import { BROKERAGE, HOLDINGS } from '../text/investments.ts';
import { accountOptions, chosenAccounts, UnlinkedAccount } from '../transactions/chosen-accounts.tsx';
import { AllocationCard } from './allocation-card.tsx';
import { BrokeragePage } from './brokerage-page.tsx';
import { CurrencyCard } from './currency-card.tsx';
import classes from './holdings.module.css';
import { byCurrency } from './positions.ts';
import { HOLDING_SORTS, type HoldingSort, type HoldingsSearch, holdingsSearch } from './search.ts';

interface HoldingsReadProps {
  readonly accounts: readonly Account[];
  readonly sort: HoldingSort | undefined;
}

const EXPECTED = 6;

/** The holdings of the accounts. One that cannot be read is named, and the others are shown. */
function HoldingsRead({ accounts, sort }: HoldingsReadProps) {
  const reads = useQueries({ queries: accounts.map(({ id }) => holdings(id)) });
  const rows = reads.flatMap(({ data }) => data?.rows ?? []);
  const waiting = reads.some(({ data, error }) => data === undefined && error === null);
  const names = new Map(accounts.map(({ id, name }) => [id, name]));
  return (
    <>
      {reads.map(({ error, refetch }, at) => {
        const account = accounts[at];
        return error === null || account === undefined ? null : (
          <Problem
            key={account.id}
            error={error}
            title={BROKERAGE.accountFailed(account.name)}
            again={refetch}
          />
        );
      })}
      <RowsAside accounts={accounts.map(({ name }, at) => ({ name, rows: reads[at]?.data?.aside ?? [] }))} />
      {waiting ? (
        <div className={classes.waiting}>
          <LoadingRows count={EXPECTED} />
        </div>
      ) : (
        <VisuallyHidden role="status">{HOLDINGS.count(rows.length)}</VisuallyHidden>
      )}
      {rows.length === 0 && !waiting && reads.some(({ data }) => data !== undefined) ? (
        <Empty title={HOLDINGS.none} text={HOLDINGS.noneText} />
      ) : null}
      {waiting ? null : (
        <div className={rows.length === 0 ? '' : classes.parts}>
          <AllocationCard holdings={rows} accountName={(id) => names.get(id) ?? ''} />
          <div>
            {byCurrency(rows, sort).map((position) => (
              <CurrencyCard
                key={position.currency}
                positions={position}
                accountOf={accounts.length > 1 ? (id) => names.get(id) ?? '' : null}
              />
            ))}
          </div>
        </div>
      )}
    </>
  );
}

const route = getRouteApi(APP_PATHS.holdings);
const VALUE = 'value';

export function HoldingsPage() {
  return (
    <BrokeragePage title={HOLDINGS.title}>{(accounts) => <Filtered accounts={accounts} />}</BrokeragePage>
  );
}

function Filtered({ accounts }: { readonly accounts: readonly Account[] }) {
  // The router also passes on what the validation left out.
  const search = route.useSearch({ select: holdingsSearch });
  const chosen = chosenAccounts(accounts, search.account);
  const navigate = route.useNavigate();
  const choose = (name: keyof HoldingsSearch, value: string) =>
    navigate({
      search: (before) => {
        const { [name]: _, ...others } = before;
        return value === '' || value === VALUE ? others : { ...others, [name]: value };
      },
      replace: true,
    });
  return (
    <>
      <search className={classes.filters} aria-label={HOLDINGS.filters}>
        <NativeSelect
          label={BROKERAGE.account}
          value={search.account ?? ''}
          data={accountOptions(accounts, search.account)}
          onChange={({ currentTarget }) => choose('account', currentTarget.value)}
        />
        <NativeSelect
          label={HOLDINGS.sort}
          value={search.sort ?? VALUE}
          data={[VALUE, ...HOLDING_SORTS].map((value) => ({
            value,
            label: HOLDINGS.sorts[HOLDING_SORTS.find((one) => one === value) ?? VALUE],
          }))}
          onChange={({ currentTarget }) => choose('sort', currentTarget.value)}
        />
      </search>
      {chosen.length === 0 ? (
        <UnlinkedAccount onShowAll={() => choose('account', '')} />
      ) : (
        <HoldingsRead accounts={chosen} sort={search.sort} />
      )}
    </>
  );
}
