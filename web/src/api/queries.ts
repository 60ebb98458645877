import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  infiniteQueryOptions,
  MutationCache,
  notifyManager,
  type Query,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query';
import { ApiError, type List, mayPass } from '#client';
import { showWait, wasAbandoned } from './held-requests.ts';

const RETRIES = 2;
/** A longer wait than this is shown as a failure. */
const MOST_WAIT_MS = 70_000;
const WAIT_MS = 1_000;
const FRESH_MS = 15_000;
const A_PAGE = 50;
/** Null asks for the first page. */
const FIRST: string | null = null;

/**
 * A cache in which no answer from before a change counts as one from after it: a read that is under way when it is
 * invalidated, and is not replaced then, is followed by another.
 */
export class ReadCache extends QueryClient {
  readonly #followed = new WeakSet<Promise<unknown>>();

  override invalidateQueries<K extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<K>,
    options?: InvalidateOptions,
  ): Promise<void> {
    const before = this.getQueryCache()
      .findAll(filters)
      .map((query) => ({ query, read: query.promise }));
    const done = super.invalidateQueries(filters, options);
    for (const { query, read } of before)
      if (read !== undefined && read === query.promise) this.#follow(query, read);
    return done;
  }

  /** Also where the read is cancelled, which takes back that its query was invalidated. */
  async #follow(query: Query, read: Promise<unknown>): Promise<void> {
    if (this.#followed.has(read)) return;
    this.#followed.add(read);
    await read.catch(() => undefined);
    await this.invalidateQueries({ queryKey: query.queryKey, exact: true }, { cancelRefetch: false });
  }
}

// Before the next frame is drawn: a switch must not show its old state for a moment after it was clicked.
notifyManager.setScheduler(queueMicrotask);

const mutations = new MutationCache({
  // What waits its turn behind a write that was abandoned would be sent on its own, to a page that shows it no more.
  onError: (error, _variables, _before, { options: { scope } }) => {
    if (!(error instanceof ApiError) || !wasAbandoned(error.requestId) || scope === undefined) return;
    for (const one of mutations.getAll())
      if (one.state.isPaused && one.options.scope?.id === scope.id) mutations.remove(one);
  },
});

/** The cache of reads, shared between pages. The only place where reads are retried; writes never are. */
export const queries = new ReadCache({
  mutationCache: mutations,
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
