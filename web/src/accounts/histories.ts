import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Balance, Transaction } from '#client';
import { balances, isUnverified } from '../api/accounts.ts';
import { type AccountRows, readRows } from '../api/transaction-rows.ts';
import { dayIn } from '../format/moments.ts';
import type { ReadAccount } from './coverage.ts';
import type { LinkedAccount } from './linked-accounts.ts';
import type { Movement } from './net-position.ts';

interface Reading {
  /** Null until everything has answered or failed. */
  readonly accounts: readonly ReadAccount[] | null;
  /** Whether the balances could not be read, which their list already says. */
  readonly lacksBalances: boolean;
  /** Why there are no transactions at all. */
  readonly error: unknown;
  /** Whether some accounts are missing that a retry may bring. */
  readonly isPartial: boolean;
  readonly again: () => void;
}

/** The accounts with their balances now and their transactions since a day. */
export function useReadAccounts(linked: readonly LinkedAccount[], from: string): Reading {
  const now = useQuery(balances(linked.map(({ account }) => account.id)));
  const all = useQuery(histories(linked.map(({ account }) => account.id).toSorted(), from));
  const failure = all.error ?? all.data?.failure ?? null;
  const again = () => {
    if (now.error !== null) now.refetch();
    if (failure !== null) all.refetch();
  };
  const isSettled = !now.isPending && !all.isPending;
  const read = all.data?.read ?? [];
  const lacksBalances = now.data === undefined && now.error !== null;
  return {
    accounts: isSettled && now.data !== undefined ? joined(linked, now.data, read) : null,
    lacksBalances,
    error: isSettled && read.length === 0 ? failure : null,
    isPartial: failure !== null,
    again,
  };
}

function joined(
  linked: readonly LinkedAccount[],
  now: ReadonlyMap<string, Pick<Balance, 'current' | 'balance_sign'>>,
  read: readonly History[],
): readonly ReadAccount[] {
  const byAccount = new Map(read.map((history) => [history.account, history]));
  return linked.map(({ account: { id, name } }) => {
    const balance = now.get(id);
    const current = balance?.current ?? null;
    return {
      name,
      balance: current === null ? null : { amount: BigInt(current.amount), currency: current.currency },
      isUnverified: isUnverified(balance),
      history: byAccount.get(id) ?? null,
    };
  });
}

/** What an account did since a day. */
interface History {
  readonly account: string;
  /** Complete from this day on, which is later than requested if the account has more rows than are read. */
  readonly from: string;
  readonly movements: readonly Movement[];
}

interface Histories {
  readonly read: readonly History[];
  /** Why the other accounts are missing; null if none is. */
  readonly failure: unknown;
}

/** The most rows of one account. A year of a busy household fits; with more, a shorter time is shown. */
const MOST_ROWS = 10_000;

/** The posted transactions of these accounts since a day, of all banks in one request. */
function histories(accounts: readonly string[], from: string) {
  return queryOptions({
    queryKey: ['histories', accounts, from],
    queryFn: async ({ signal }): Promise<Histories> => {
      const read = await readRows(accounts, { from, to: dayIn('UTC', 1) }, { signal, mostRows: MOST_ROWS });
      const failure = [...read.values()].find(({ error }) => error !== null)?.error ?? null;
      const known = [...read].filter(([, { error }]) => error === null);
      // Where something was read it is shown; nothing at all is a failure that may be tried again.
      if (failure !== null && known.length === 0) throw failure;
      return { read: known.map(([account, rows]) => historyOf(account, rows)), failure };
    },
    staleTime: 300_000,
    gcTime: 300_000,
    structuralSharing: false,
    enabled: accounts.length > 0,
  });
}

function historyOf(account: string, { from, rows }: AccountRows): History {
  const posted = rows.filter(({ status }) => status === 'posted');
  return { account, from, movements: posted.flatMap((row) => movementOf(row) ?? []) };
}

/** Null for a row without any day, which says nothing about when. */
function movementOf({
  account,
  date,
  post_date,
  amount,
  category,
  provider_category,
  merchant_name,
  description,
}: Transaction): Movement | null {
  const posted = post_date ?? date;
  if (posted === null) return null;
  return {
    account,
    day: posted,
    spentOn: date ?? posted,
    amount: BigInt(amount.amount),
    currency: amount.currency,
    category,
    code: provider_category,
    merchant: merchant_name ?? description,
  };
}

const LATEST_DAYS = 30;
/** Far more than is shown: a read of all rows of a busy account is not needed for that. */
const MOST_LATEST = 5_000;

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
