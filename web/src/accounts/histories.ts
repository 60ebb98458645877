import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import type { Balance, Transaction } from '#client';
import { balances, isUnverified } from '../api/accounts.ts';
import { api } from '../api/client.ts';
import { rowsIn } from '../api/pieces.ts';
import { takeTurns } from '../api/queries.ts';
import type { ReadAccount } from './coverage.ts';
import { type LinkedAccount, readingGroups } from './linked-accounts.ts';
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
  const groups = useQueries({ queries: readingGroups(linked).map((accounts) => histories(accounts, from)) });
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
    accounts: isSettled && now.data !== undefined ? joined(linked, now.data, read) : null,
    lacksBalances,
    error: isSettled && read.length === 0 ? failure : null,
    isPartial: failure !== null,
    again,
  };
}

function joined(
  linked: readonly LinkedAccount[],
  now: ReadonlyMap<string, Pick<Balance, 'current' | 'freshness' | 'balance_sign'>>,
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
      isStale: balance?.freshness === 'stale',
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

/** The most rows of one request. A year of a busy household fits; with more, a shorter time is shown. */
const MOST_ROWS = 10_000;
/** If a request reaches its limit of rows, further ones read the remaining accounts. */
const MOST_REQUESTS = 3;
/** Half of the heavy requests that a session may have open (`heavy_in_flight`, docs/limits.md). */
const inTurn = takeTurns(2);

/**
 * The posted transactions of these accounts since a day, read live through the export of v2: one request has any number
 * of accounts and rows, so the heavy tier is hardly touched.
 */
function histories(accounts: readonly string[], from: string) {
  return queryOptions({
    queryKey: ['histories', accounts, from],
    queryFn: ({ signal }) => inTurn(() => readHistories(accounts, from, signal)),
    staleTime: 300_000,
    gcTime: 300_000,
  });
}

async function readHistories(
  accounts: readonly string[],
  from: string,
  signal: AbortSignal,
): Promise<Histories> {
  const read: History[] = [];
  let left = accounts;
  for (let request = 0; request < MOST_REQUESTS && left.length > 0; request++) {
    const { done, failure } = await readSome(left, from, signal);
    read.push(...done);
    if (failure !== null) {
      // Where something was read it is shown; nothing at all is a failure that may be tried again.
      if (read.length === 0) throw failure;
      return { read, failure };
    }
    left = left.slice(done.length);
  }
  return { read, failure: null };
}

/** The accounts that were read, in order: all, or as many as the rows of one request allow. */
async function readSome(
  accounts: readonly string[],
  from: string,
  signal: AbortSignal,
): Promise<{ done: readonly History[]; failure: unknown }> {
  const rows = new Map<string, Movement[]>(accounts.map((account) => [account, []]));
  const whole = (until: number): History[] =>
    accounts.slice(0, until).map((account) => ({ account, from, movements: rows.get(account) ?? [] }));
  let at = 0;
  let count = 0;
  try {
    const response = await api.transactions.export({ account: accounts, from, format: 'jsonl' }, { signal });
    for await (const row of rowsIn<Transaction>(response)) {
      // Accounts come one after the other: those before this one are complete.
      at = Math.max(at, accounts.indexOf(row.account));
      const movement = movementOf(row);
      if (movement === null) continue;
      rows.get(row.account)?.push(movement);
      count += 1;
      if (count < MOST_ROWS) continue;
      const { account, day } = movement;
      return {
        done: [...whole(at), { account, from: day, movements: rows.get(account) ?? [] }],
        failure: null,
      };
    }
    return { done: whole(accounts.length), failure: null };
  } catch (error) {
    if (signal.aborted) throw error;
    return { done: whole(at), failure: error };
  }
}

/** Null for a row without any day, which says nothing about when. */
function movementOf({
  account,
  date,
  post_date,
  amount,
  category,
  provider_category,
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
  };
}
