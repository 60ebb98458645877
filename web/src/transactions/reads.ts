import { infiniteQueryOptions } from '@tanstack/react-query';
import type { Transaction } from '#client';
import type { Days, RowAside } from '../api/held-rows.ts';
import { readRows } from '../api/transaction-rows.ts';
import { newestFirst } from './entries.ts';
import { nextSlice } from './slices.ts';

/** Accounts that are read together, because they are at the same bank. */
export interface AccountsOfBank {
  readonly connection: string;
  readonly name: string;
  readonly accounts: readonly string[];
}

/** The rows asked for: days are local to the account, both included. */
export interface TransactionWindow extends Days {
  readonly banks: readonly AccountsOfBank[];
  /** The most rows of an account, where not all are needed. */
  readonly mostRows?: number;
}

/** A bank that did not answer. The others are shown without it. */
export interface FailedBank {
  readonly bank: AccountsOfBank;
  readonly error: unknown;
}

export interface Slice extends Days {
  readonly rows: readonly Transaction[];
  readonly count: number;
  readonly failed: readonly FailedBank[];
  /** Accounts with more rows than are read, of which the oldest are missing. */
  readonly short: readonly string[];
  /** Rows that could not be read, by account. */
  readonly aside: ReadonlyMap<string, readonly RowAside[]>;
}

interface Reading {
  /** Whether the next read takes the whole rest of the period. */
  readonly whole: boolean;
  readonly counter: ReadCounter;
}

const FIRST: Days | null = null;

/**
 * The window's transactions, including pending ones, slice by slice from its last day back: each slice is one request
 * for all banks, or none if another page has read its days.
 */
export function transactions({ banks, from, to, mostRows }: TransactionWindow, { whole, counter }: Reading) {
  const period = { from, to };
  return infiniteQueryOptions({
    queryKey: ['transactions', period, banks, mostRows],
    queryFn: async ({ pageParam, signal }): Promise<Slice> => {
      const days = pageParam ?? nextSlice(period, [], whole) ?? period;
      counter.start();
      const accounts = banks.flatMap((bank) => bank.accounts);
      const read = await readRows(accounts, days, {
        signal,
        onRow: counter.add,
        ...(mostRows !== undefined && { mostRows }),
      });
      const results = [...read.values()];
      const failed = banks.flatMap((bank) => {
        const errors = bank.accounts.map((account) => read.get(account)?.error ?? null);
        const error = errors.find((one) => one !== null) ?? null;
        return error === null ? [] : [{ bank, error }];
      });
      const [first] = failed;
      if (first !== undefined && results.every(({ error }) => error !== null)) throw first.error;
      const rows = results.flatMap((result) => result.rows);
      const short = [...read].flatMap(([account, { error, from }]) =>
        error === null && from > days.from ? [account] : [],
      );
      const aside = new Map([...read].map(([account, result]) => [account, result.aside]));
      return { ...days, rows, count: rows.length, failed, short, aside };
    },
    initialPageParam: FIRST,
    getNextPageParam: (_, slices) => nextSlice(period, slices, whole),
    // Rows may be many: they are read again when a person asks for it, not whenever the window is looked at.
    staleTime: 300_000,
    gcTime: 120_000,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    structuralSharing: false,
  });
}

/** Every row once, newest first: a row whose day changes between two reads would be in both. */
export function rowsOf(slices: readonly Pick<Slice, 'rows'>[]): readonly Transaction[] {
  const rows = new Map<string, Transaction>();
  for (const slice of slices) for (const row of slice.rows) rows.set(row.id, row);
  return [...rows.values()].sort(newestFirst);
}

/** Rows that could not be read, each once: one without a day is in every slice. */
export function asideOf(slices: readonly Pick<Slice, 'aside'>[]): ReadonlyMap<string, readonly RowAside[]> {
  const all = new Map<string, RowAside[]>();
  for (const { aside } of slices) {
    for (const [account, rows] of aside) {
      const known = all.get(account) ?? [];
      const isNew = ({ id, day }: RowAside) =>
        id === null
          ? day !== null || !known.some((one) => one.id === null && one.day === null)
          : !known.some((one) => one.id === id);
      all.set(account, [...known, ...rows.filter(isNew)]);
    }
  }
  return all;
}

/** The banks that did not answer, each once, with the latest error. */
export function failedBanks(slices: readonly Pick<Slice, 'failed'>[]): readonly FailedBank[] {
  const failed = slices.flatMap((slice) => slice.failed);
  return [...new Map(failed.map((one) => [one.bank.connection, one])).values()];
}

const TELL_MS = 200;

/** How many rows a read has brought so far, reported a few times a second at most. */
export class ReadCounter {
  #count = 0;
  #reported = 0;
  #reportedAt = 0;
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly get = (): number => this.#reported;

  start(): void {
    this.#count = 0;
    this.#tell(performance.now());
  }

  readonly add = (): void => {
    this.#count += 1;
    // Asking for the time at every row would cost more than the row.
    if (this.#count % 100 !== 0) return;
    const now = performance.now();
    if (now - this.#reportedAt >= TELL_MS) this.#tell(now);
  };

  #tell(now: number): void {
    this.#reported = this.#count;
    this.#reportedAt = now;
    for (const listener of this.#listeners) listener();
  }
}
