import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { Transaction } from '#client';
import {
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
  const mayGoOn = hasNextPage && !isFetching && !isFetchNextPageError;
  // The last days may be empty: then there is nothing to scroll through, and older ones have to be asked for.
  const goesOn = mayGoOn && (all || rows?.length === 0);
  useEffect(() => {
    if (goesOn) void fetchNextPage();
  }, [goesOn, fetchNextPage]);
  return {
    rows,
    failed,
    complete: data !== undefined && !hasNextPage,
    busy: isFetching,
    error: data === undefined || isFetchNextPageError ? list.error : null,
    counter,
    readOlder: () => void (mayGoOn && fetchNextPage()),
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
