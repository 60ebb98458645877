import { useCallback } from 'react';
import type { Category, Transaction } from '#client';
import type { CountedSpending } from '../accounts/spending-rules.ts';
import type { Steps } from '../parts/steps.ts';
import { useSteps } from '../parts/use-steps.ts';
import { type Entry, entrySteps } from './entries.ts';
import { matcher, narrows, type RowFilter } from './matching.ts';
import type { TransactionSort } from './search.ts';

/** What the list shows of the rows that have been read, and what it was made for. */
export interface Listing {
  readonly entries: readonly Entry[];
  /** The rows among the entries, in their order. */
  readonly listed: readonly Transaction[];
  /** How many rows match, whether or not they are among the entries. */
  readonly found: number;
  readonly read: number;
  /** What the rows that match come to, minor units by currency. */
  readonly sums: ReadonlyMap<string, bigint>;
  readonly isFound: boolean;
  readonly isPendingOpen: boolean;
  readonly sort: TransactionSort | undefined;
}

interface Listed {
  readonly rows: readonly Transaction[];
  readonly filter: RowFilter;
  readonly categories: readonly Category[];
  readonly spending: CountedSpending | undefined;
  readonly sort: TransactionSort | undefined;
  /** Whether pending rows are listed without a filter as well. */
  readonly wantsPending: boolean;
}

/** Rows that are looked at between two looks at the clock. */
const STRIDE = 500;

/**
 * The list of the rows that match. With 100,000 of them that takes a tenth of a second, in which the page still takes
 * keys and scrolls; until then the list before stays.
 */
export function useListing({
  rows,
  filter,
  categories,
  spending,
  sort,
  wantsPending,
}: Listed): Listing | null {
  return useSteps(
    useCallback(
      () => listingSteps({ rows, filter, categories, spending, sort, wantsPending }),
      [rows, filter, categories, spending, sort, wantsPending],
    ),
  );
}

function* listingSteps({ rows, filter, categories, spending, sort, wantsPending }: Listed): Steps<Listing> {
  const matches = matcher(filter, categories, spending);
  const found: Transaction[] = [];
  const sums = new Map<string, bigint>();
  for (const [at, row] of rows.entries()) {
    if (matches(row)) {
      found.push(row);
      const { amount, currency } = row.amount;
      sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(amount));
    }
    if (at % STRIDE === STRIDE - 1) yield;
  }
  // A filter may match pending rows, so they are listed with it.
  const isFound = narrows(filter);
  const isPendingOpen = wantsPending || isFound;
  const entries = yield* entrySteps(found, sort, isPendingOpen);
  const listed: Transaction[] = [];
  for (const [at, entry] of entries.entries()) {
    if (entry.kind === 'row') listed.push(entry.row);
    if (at % STRIDE === STRIDE - 1) yield;
  }
  return { entries, listed, found: found.length, read: rows.length, sums, isFound, isPendingOpen, sort };
}
