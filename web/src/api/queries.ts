import { infiniteQueryOptions, QueryClient } from '@tanstack/react-query';
import { ApiError, type List, mayPass } from '#client';
import { showWait } from './held-requests.ts';

const RETRIES = 2;
/** A longer wait than this is shown as a failure. */
const MOST_WAIT_MS = 70_000;
const WAIT_MS = 1_000;
const FRESH_MS = 15_000;
const A_PAGE = 50;
/** Null asks for the first page. */
const FIRST: string | null = null;

/** The cache of reads, shared between pages. The only place where reads are retried; writes never are. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      retry: (failures, error) =>
        failures < RETRIES && mayPass(error) && waitOf(failures, error) <= MOST_WAIT_MS,
      retryDelay: (failures, error) => {
        const wait = waitOf(failures, error);
        // A bank that had too many requests; those that the service had too many of are held below (`sessionFetch`).
        if (error instanceof ApiError && error.status === 429) showWait(wait);
        return wait;
      },
    },
    mutations: { retry: false },
  },
});

/** As long as the service asks for, or else longer each time. */
function waitOf(failures: number, error: unknown): number {
  return (error instanceof ApiError ? error.retryAfterMs : null) ?? WAIT_MS * 2 ** failures;
}

/** Which page of a list is requested, and how many items. */
interface PageAsked {
  readonly limit: number;
  readonly page: string | undefined;
}

/** A list that is read page by page on request. */
export function paged<T>(
  queryKey: readonly unknown[],
  list: (asked: PageAsked, options: { readonly signal: AbortSignal }) => List<T>,
  limit = A_PAGE,
) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => list({ limit, page: pageParam ?? undefined }, { signal }).page(),
    initialPageParam: FIRST,
    getNextPageParam: ({ next }) => next,
  });
}

/** Limits how many run at a time; the others wait in order of arrival. */
export function takeTurns(atOnce: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let free = atOnce;
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
