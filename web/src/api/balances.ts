import { queryOptions } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type { balanceSchema } from '../../../src/operations/v2/accounts/balance.ts';
import { ask } from './client.ts';
import type { List } from './lists.ts';

export type Balance = Static<typeof balanceSchema>;

/** Whether it is as the bank sent it, because nothing says what its sign means: it is part of no sum. */
export function isUnverified(balance: Pick<Balance, 'balance_sign' | 'current'> | undefined): boolean {
  return balance?.balance_sign === 'unverified' && balance.current !== null;
}

/** As many as one request may name (`balance_accounts`, docs/limits.md). */
const AT_ONCE = 100;

/** The balances of these accounts, by account. One that cannot be read is among them as `unavailable`. */
export function balances(accounts: readonly string[]) {
  return queryOptions({
    queryKey: ['balances', accounts],
    queryFn: async ({ signal }) => {
      const parts = Array.from({ length: Math.ceil(accounts.length / AT_ONCE) }, (_, at) =>
        ask<List<Balance>>({
          path: 'balances',
          query: { account: accounts.slice(at * AT_ONCE, (at + 1) * AT_ONCE) },
          signal,
        }),
      );
      const read = (await Promise.all(parts)).flatMap(({ data }) => data);
      return new Map(read.map((balance) => [balance.account, balance]));
    },
    staleTime: 60_000,
  });
}
