import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Balance, Transaction } from '#client';
import { dayIn } from '../format/moments.ts';
import { api } from './client.ts';
import { takeTurns } from './queries.ts';
import { readRows } from './transaction-rows.ts';

/** As many as one request may name (`balance_accounts`, docs/limits.md). */
const AT_ONCE = 100;
/** A session has places for six heavy reads at once, and other parts of a page read as well. */
const inTurn = takeTurns(2);
const LATEST_DAYS = 30;
/** Far more than is shown: a read of all rows of a busy account is not needed for that. */
const MOST_LATEST = 5_000;

export const accounts = queryOptions({
  queryKey: ['accounts'],
  queryFn: ({ signal }) => api.accounts.list({ limit: 100 }, { signal }).all(),
});

export function account(id: string) {
  return queryOptions({
    queryKey: ['accounts', id],
    queryFn: ({ signal }) => api.accounts.get({ id }, { signal }),
  });
}

/** What the bank says about the product: rates, fees, features, terms of a loan. */
export function accountDetails(id: string) {
  return queryOptions({
    queryKey: ['account-details', id],
    queryFn: ({ signal }) => api.accounts.getDetails({ id }, { signal }),
    staleTime: 300_000,
  });
}

/** An account's rows of the last 30 days, including pending ones, newest first. */
export function latestTransactions(id: string) {
  return queryOptions({
    queryKey: ['latest-transactions', id],
    queryFn: async ({ signal }): Promise<readonly Transaction[]> => {
      const days = { from: dayIn('UTC', -LATEST_DAYS), to: dayIn('UTC', 1) };
      const read = (await readRows([id], days, { signal, mostRows: MOST_LATEST })).get(id);
      if (read?.error != null) throw read.error;
      return read?.rows ?? [];
    },
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  });
}

/** The balances of these accounts, by account. One that cannot be read is among them as `unavailable`. */
export function balances(accounts: readonly string[]) {
  return queryOptions({
    queryKey: ['balances', accounts],
    queryFn: async ({ signal }) => {
      const parts = Array.from({ length: Math.ceil(accounts.length / AT_ONCE) }, (_, at) =>
        api.balances.list({ account: accounts.slice(at * AT_ONCE, (at + 1) * AT_ONCE) }, { signal }).all(),
      );
      const read = (await Promise.all(parts)).flat();
      return new Map(read.map((balance) => [balance.account, balance]));
    },
    staleTime: 60_000,
  });
}

/** Whether the meaning of its sign is unknown, so that it is shown as the bank sent it and left out of totals. */
export function isUnverified(balance: Pick<Balance, 'balance_sign' | 'current'> | undefined): boolean {
  return balance?.balance_sign === 'unverified' && balance.current !== null;
}

/** The holdings of a brokerage account. Each read calls the broker. */
export function holdings(account: string) {
  return queryOptions({
    queryKey: ['holdings', account],
    queryFn: ({ signal }) => inTurn(() => api.holdings.list({ limit: 100, account }, { signal }).all()),
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  });
}

/** The name of an account; its id until the name is known. */
export function useAccountNames(): (id: string) => string {
  const { data } = useQuery(accounts);
  const names = new Map(data?.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? id;
}
