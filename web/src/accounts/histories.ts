import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError, type Balance } from '#client';
import { balances, isUnverified } from '../api/accounts.ts';
import type { ReadBalance } from '../api/held-balances.ts';
import type { FoundRows, RowAside } from '../api/held-rows.ts';
import { type AccountRows, readRows } from '../api/transaction-rows.ts';
import { accountNames } from '../format/account-names.ts';
import { dayIn } from '../format/moments.ts';
import type { Steps } from '../parts/steps.ts';
import { inSlices } from '../parts/use-steps.ts';
import type { ReadAccount } from './coverage.ts';
import type { LinkedAccount } from './linked-accounts.ts';
import { type Movement, movementOf } from './net-position.ts';

interface Reading {
  /** Null until everything has answered or failed. */
  readonly accounts: readonly ReadAccount[] | null;
  /** Whether the balances could not be read, which their list already says. */
  readonly lacksBalances: boolean;
  /** Why there are no transactions at all. */
  readonly error: unknown;
  /** Whether some accounts are missing that a retry may bring. */
  readonly isPartial: boolean;
  /** The balances as they were read, also those that could not be. */
  readonly balances: readonly ReadBalance[];
  readonly again: () => void;
}

/** The accounts with their balances now and their transactions since a day. */
export function useReadAccounts(linked: readonly LinkedAccount[], from: string): Reading {
  const now = useQuery(balances(linked.map(({ account }) => account.id)));
  const queries = useQueryClient();
  const asked = histories(linked.map(({ account }) => account.id).toSorted(), from);
  const all = useQuery(asked);
  const failure = all.error ?? delayed(all) ?? all.data?.failure ?? null;
  const balancesRead = [...(now.data?.values() ?? [])];
  const unread = balancesRead.some(({ freshness }) => freshness === 'unavailable');
  const again = () => {
    if (now.error !== null || unread) now.refetch();
    if (failure === null) return;
    // What waits for another attempt would not begin before it.
    if (all.isPending)
      queries.cancelQueries({ queryKey: asked.queryKey, exact: true }).then(() => all.refetch());
    else all.refetch();
  };
  const isSettled = !now.isPending && (!all.isPending || delayed(all) !== null);
  const read = all.data?.read ?? [];
  const lacksBalances = now.data === undefined && now.error !== null;
  return {
    accounts: isSettled && now.data !== undefined ? joined(linked, now.data, read) : null,
    lacksBalances,
    error: isSettled && read.length === 0 ? failure : null,
    isPartial: failure !== null,
    balances: balancesRead,
    again,
  };
}

/** Why there is nothing yet, if the next attempt is so far away that the page says so meanwhile. */
function delayed({
  isPending,
  failureReason,
}: {
  isPending: boolean;
  failureReason: unknown;
}): ApiError | null {
  if (!isPending || !(failureReason instanceof ApiError)) return null;
  return (failureReason.retryAfterMs ?? 0) > LONG_WAIT_MS ? failureReason : null;
}

const LONG_WAIT_MS = 5_000;

function joined(
  linked: readonly LinkedAccount[],
  now: ReadonlyMap<string, Pick<Balance, 'current' | 'balance_sign'>>,
  read: readonly History[],
): readonly ReadAccount[] {
  const byAccount = new Map(read.map((history) => [history.account, history]));
  const names = accountNames(linked.map(({ account }) => account));
  return linked.map(({ account: { id, name } }) => {
    const balance = now.get(id);
    const current = balance?.current ?? null;
    return {
      name: names.get(id) ?? name,
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
  /** Rows that could not be read. */
  readonly aside: readonly RowAside[];
}

interface Histories {
  readonly read: readonly History[];
  /** Why the other accounts are missing; null if none is. */
  readonly failure: unknown;
}

/** The most rows of one account. A year of a busy household fits; with more, a shorter time is shown. */
export const MOST_ROWS = 10_000;

/** The posted transactions of these accounts since a day, of all banks in one request. */
export function histories(accounts: readonly string[], from: string) {
  return queryOptions({
    queryKey: ['histories', accounts, from],
    queryFn: async ({ signal }): Promise<Histories> => {
      const read = await readRows(accounts, { from, to: dayIn('UTC', 1) }, { signal, mostRows: MOST_ROWS });
      const failure = [...read.values()].find(({ error }) => error !== null)?.error ?? null;
      const known = [...read].filter(([, { error }]) => error === null);
      // Where something was read it is shown; nothing at all is a failure that may be tried again.
      if (failure !== null && known.length === 0) throw failure;
      return { read: await inSlices(historiesOf(known), signal), failure };
    },
    staleTime: 300_000,
    gcTime: 300_000,
    structuralSharing: false,
    enabled: accounts.length > 0,
  });
}

/** Rows that are looked at between two looks at the clock. */
const STRIDE = 500;

function* historiesOf(known: readonly (readonly [string, AccountRows])[]): Steps<readonly History[]> {
  const read: History[] = [];
  for (const [account, { from, rows, aside }] of known) {
    const movements: Movement[] = [];
    for (const [at, row] of rows.entries()) {
      if (at % STRIDE === STRIDE - 1) yield;
      const movement = row.status === 'posted' ? movementOf(row) : null;
      if (movement !== null) movements.push(movement);
    }
    read.push({ account, from, movements, aside });
  }
  return read;
}

const LATEST_DAYS = 30;
/** Far more than is shown: a read of all rows of a busy account is not needed for that. */
const MOST_LATEST = 5_000;

/** An account's rows of the last days, including pending ones, newest first. */
export function latestTransactions(id: string, back = LATEST_DAYS) {
  return queryOptions({
    queryKey: ['latest-transactions', id, back],
    queryFn: async ({ signal }): Promise<FoundRows> => {
      const days = { from: dayIn('UTC', -back), to: dayIn('UTC', 1) };
      const read = (await readRows([id], days, { signal, mostRows: MOST_LATEST })).get(id);
      if (read?.error != null) throw read.error;
      return { rows: read?.rows ?? [], aside: read?.aside ?? [] };
    },
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  });
}
