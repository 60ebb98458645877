import { NativeSelect } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { Account } from '#client';
import { PATHS } from '../../routing/paths.ts';
import { HOLDING_SORTS, type HoldingsSearch, holdingsSearch } from '../../routing/searches/holdings.ts';
import { BROKERAGE, HOLDINGS } from '../../text/brokerage.ts';
import { accountOptions } from '../transactions/account-options.ts';
import { chosenAccounts } from '../transactions/chosen-accounts.ts';
import { BrokeragePage } from './brokerage-page.tsx';
import classes from './holdings.module.css';
import { HoldingsRead } from './holdings-read.tsx';

const route = getRouteApi(PATHS.holdings);
const VALUE = 'value';

export function HoldingsPage() {
  return (
    <BrokeragePage title={HOLDINGS.title}>{(accounts) => <Filtered accounts={accounts} />}</BrokeragePage>
  );
}

function Filtered({ accounts }: { readonly accounts: readonly Account[] }) {
  // The router also passes on what the validation left out.
  const search = route.useSearch({ select: holdingsSearch });
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
          data={accountOptions(accounts)}
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
      <HoldingsRead accounts={chosenAccounts(accounts, search.account)} sort={search.sort} />
    </>
  );
}
