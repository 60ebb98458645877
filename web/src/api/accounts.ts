import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Account, Balance, Holding } from '#client';
import { accountNames } from '../format/account-names.ts';
import { now } from '../format/clock.ts';
import { api } from './client.ts';
import { earliestAgain, HeldBalances } from './held-balances.ts';
import type { RowAside } from './held-rows.ts';
import { takeTurns } from './queries.ts';

/** As many as one request may name (`balance_accounts`, docs/limits.md). */
const AT_ONCE = 100;
/** A session has places for six heavy reads at once, and other parts of a page read as well. */
const inTurn = takeTurns(2);

export const accounts = queryOptions({
  queryKey: ['accounts'],
  queryFn: async ({ signal }) => (await api.accounts.list({ limit: 100 }, { signal }).all()).map(asShown),
});

/** The account under the name that its owner gave it. */
export function asShown(read: Account): Account {
  return { ...read, name: read.nickname ?? read.name };
}

/** Under the name that the bank gives it. */
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

const held = new HeldBalances();
/** Between two readings that no bank put off. */
const LEAST_WAIT_MS = 30_000;

/**
 * The balances of these accounts, by account. One that cannot be read is among them as `unavailable`, and is read again
 * once its bank allows it.
 */
export function balances(accounts: readonly string[]) {
  return queryOptions({
    queryKey: ['balances', accounts],
    // Not aborted with the page: without caching, the bank would not answer the next one.
    queryFn: async () => {
      const parts = Array.from({ length: Math.ceil(accounts.length / AT_ONCE) }, (_, at) =>
        api.balances.list({ account: accounts.slice(at * AT_ONCE, (at + 1) * AT_ONCE) }).all(),
      );
      const read = (await Promise.all(parts)).flat();
      return new Map(read.map((balance) => [balance.account, held.settle(balance, now())]));
    },
    staleTime: 60_000,
    refetchInterval: ({ state }) => {
      const again = earliestAgain(state.data?.values() ?? []);
      return again === null ? false : Math.max(LEAST_WAIT_MS, Date.parse(again) - now() + 1_000);
    },
  });
}

/** Whether the meaning of its sign is unknown, so that it is shown as the bank sent it and left out of totals. */
export function isUnverified(balance: Pick<Balance, 'balance_sign' | 'current'> | undefined): boolean {
  return balance?.balance_sign === 'unverified' && balance.current !== null;
}

/** The holdings of an account, and those that could not be read. */
export interface FoundHoldings {
  readonly rows: readonly Holding[];
  readonly aside: readonly RowAside[];
}

/** The holdings of a brokerage account. Each read calls the broker. */
export function holdings(account: string) {
  return queryOptions({
    queryKey: ['holdings', account],
    queryFn: ({ signal }) =>
      inTurn(async (): Promise<FoundHoldings> => {
        const rows: Holding[] = [];
        let aside: readonly RowAside[] = [];
        for await (const page of api.holdings.list({ limit: 100, account }, { signal }).pages()) {
          rows.push(...page.data);
          aside = page.setAside;
        }
        return { rows, aside };
      }),
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  });
}

/** The name of an account, with its digits where another has the same name; its id until the name is known. */
export function useAccountNames(): (id: string) => string {
  const { data } = useQuery(accounts);
  const names = accountNames(data ?? []);
  return (id) => names.get(id) ?? id;
}
