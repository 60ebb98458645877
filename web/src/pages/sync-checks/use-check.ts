import { useQuery, useQueryClient } from '@tanstack/react-query';

export interface Check<T> {
  readonly result: T | undefined;
  readonly error: unknown;
  readonly busy: boolean;
  readonly start: () => void;
  readonly stop: () => void;
}

/** Something that is read only when asked for and takes long. It stops with the page, so that nothing reads on unseen. */
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
