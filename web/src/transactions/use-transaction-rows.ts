import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { Transaction } from '#client';
import type { RowAside } from '../api/held-rows.ts';
import {
  asideOf,
  type FailedBank,
  failedBanks,
  ReadCounter,
  rowsOf,
  type Slice,
  type TransactionWindow,
  transactions,
} from './reads.ts';

export interface TransactionRows {
  /** Null until the first rows have arrived. */
  readonly rows: readonly Transaction[] | null;
  readonly failed: readonly FailedBank[];
  /** Accounts with more rows than are read, of which the oldest are missing. */
  readonly short: readonly string[];
  /** Rows that could not be read, by account, in the days that have been read. */
  readonly aside: ReadonlyMap<string, readonly RowAside[]>;
  /** Whether every row of the period is there. */
  readonly complete: boolean;
  readonly busy: boolean;
  readonly error: unknown;
  readonly counter: ReadCounter;
  readonly readOlder: () => void;
  readonly readWhole: () => void;
  /** Retries what failed. */
  readonly again: () => void;
  /** Reads again what failed, and what was not read lately. */
  readonly refresh: () => void;
}

/** The rows of a window, as far back as they have been read. `whole`: the rest is to be read without being asked. */
export function useTransactionRows(window: TransactionWindow, whole: boolean): TransactionRows {
  const [counter] = useState(() => new ReadCounter());
  const [asked, setAsked] = useState(false);
  const all = whole || asked;
  const list = useInfiniteQuery(transactions(window, { whole: all, counter }));
  const { data, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = list;
  const rows = useMemo(() => (data === undefined ? null : rowsOf(data.pages)), [data]);
  const failed = useMemo(() => failedOf(data), [data]);
  const short = useMemo(() => [...new Set(data?.pages.flatMap((slice) => slice.short))], [data]);
  const aside = useMemo(() => asideOf(data?.pages ?? []), [data]);
  const mayGoOn = hasNextPage && !isFetching && !isFetchNextPageError;
  // The last days may be empty: then there is nothing to scroll through, and older ones have to be asked for.
  const goesOn = mayGoOn && (all || rows?.length === 0);
  useEffect(() => {
    if (goesOn) void fetchNextPage();
  }, [goesOn, fetchNextPage]);
  const readOlder = useCallback(() => void (mayGoOn && fetchNextPage()), [mayGoOn, fetchNextPage]);
  return {
    rows,
    failed,
    short,
    aside,
    complete: data !== undefined && !hasNextPage,
    busy: isFetching,
    error: data === undefined || isFetchNextPageError ? list.error : null,
    counter,
    readOlder,
    readWhole: () => {
      setAsked(true);
      if (isFetchNextPageError) void fetchNextPage();
    },
    again: () => void (isFetchNextPageError ? fetchNextPage() : list.refetch()),
    refresh: () => void list.refetch(),
  };
}

function failedOf(data: InfiniteData<Slice> | undefined): readonly FailedBank[] {
  return data === undefined ? [] : failedBanks(data.pages);
}
