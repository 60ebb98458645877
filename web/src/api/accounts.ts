import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Balance } from '#client';
import { api } from './client.ts';
import { takeTurns } from './queries.ts';

/** As many as one request may name (`balance_accounts`, docs/limits.md). */
const AT_ONCE = 100;
/** A session has places for six heavy reads at once, and other parts of a page read as well. */
const inTurn = takeTurns(2);

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
