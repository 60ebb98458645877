import { Button, Loader } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { PROBLEMS } from '../../text/problems.ts';
import classes from './sync-checks.module.css';

export interface Check<T> {
  readonly result: T | undefined;
  readonly error: unknown;
  readonly busy: boolean;
  readonly start: () => void;
  readonly stop: () => void;
}

/** A long read that starts only on request. It stops when the page is left, so that nothing continues unseen. */
export function useCheck<T>(
  key: readonly [string, string | null],
  read: (signal: AbortSignal) => Promise<T>,
): Check<T> {
  const queries = useQueryClient();
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => read(signal),
    enabled: false,
    retry: false,
    gcTime: 0,
  });
  return {
    result: isFetching ? undefined : data,
    error: isFetching ? null : error,
    busy: isFetching,
    start: () => refetch(),
    stop: () => queries.cancelQueries({ queryKey: key }),
  };
}

interface CheckingProps {
  readonly text: string;
  readonly stop: string;
  readonly onStop: () => void;
}

/** Shown during a long read: what happens, and a way to stop it. */
export function Checking({ text, stop, onStop }: CheckingProps) {
  return (
    <div className={classes.checking} role="status">
      <Loader size="sm" aria-hidden="true" />
      <span className={classes.grow}>{text}</span>
      <Button variant="default" size="xs" onClick={onStop}>
        {stop}
      </Button>
    </div>
  );
}

const A_PAGE = 50;

/** The first rows of a complete list, and a button that shows more. */
export function useFirstRows<T>(rows: readonly T[]): {
  readonly shown: readonly T[];
  readonly more: ReactNode;
} {
  const [count, setCount] = useState(A_PAGE);
  return {
    shown: rows.slice(0, count),
    more:
      rows.length <= count ? null : (
        <div className={classes.more}>
          <Button variant="default" size="xs" onClick={() => setCount(count + A_PAGE)}>
            {PROBLEMS.showMore}
          </Button>
        </div>
      ),
  };
}
