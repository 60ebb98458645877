import { useQueries, useQuery } from '@tanstack/react-query';
import type { Balance } from '#client';
import { balances, isUnverified } from '../../api/accounts.ts';
import { type History, histories } from '../../api/histories.ts';
import type { ReadAccount } from '../../money/coverage.ts';
import { type Held, readingGroups } from './held-accounts.ts';

interface Reading {
  /** Null until everything has answered or failed. */
  readonly accounts: readonly ReadAccount[] | null;
  /** Whether the balances could not be read, as the list of them says already. */
  readonly lacksBalances: boolean;
  /** Why there are no transactions at all. */
  readonly error: unknown;
  /** Whether some accounts are missing that may be there on another try. */
  readonly isPartial: boolean;
  readonly again: () => void;
}

/** The accounts with their balances now and their transactions since a day. */
export function useReadAccounts(held: readonly Held[], from: string): Reading {
  const now = useQuery(balances(held.map(({ account }) => account.id)));
  const groups = useQueries({ queries: readingGroups(held).map((accounts) => histories(accounts, from)) });
  const again = () => {
    if (now.error !== null) now.refetch();
    for (const { error, data, refetch } of groups) {
      if (error !== null || (data !== undefined && data.failure !== null)) refetch();
    }
  };
  const isSettled = !now.isPending && groups.every(({ isPending }) => !isPending);
  const read = groups.flatMap(({ data }) => data?.read ?? []);
  const failures = groups.map(({ error, data }) => error ?? data?.failure ?? null);
  const failure = failures.find((one) => one !== null) ?? null;
  const lacksBalances = now.data === undefined && now.error !== null;
  return {
    accounts: isSettled && now.data !== undefined ? joined(held, now.data, read) : null,
    lacksBalances,
    error: isSettled && read.length === 0 ? failure : null,
    isPartial: failure !== null,
    again,
  };
}

function joined(
  held: readonly Held[],
  now: ReadonlyMap<string, Pick<Balance, 'current' | 'freshness' | 'balance_sign'>>,
  read: readonly History[],
): readonly ReadAccount[] {
  const byAccount = new Map(read.map((history) => [history.account, history]));
  return held.map(({ account: { id, name } }) => {
    const balance = now.get(id);
    const current = balance?.current ?? null;
    return {
      name,
      balance: current === null ? null : { amount: BigInt(current.amount), currency: current.currency },
      isUnverified: isUnverified(balance),
      isStale: balance?.freshness === 'stale',
      history: byAccount.get(id) ?? null,
    };
  });
}
