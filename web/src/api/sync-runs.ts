import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type { rejectedRowSchema } from '../../../src/operations/v2/sync-runs/resource.ts';
import type { SyncRunStatus } from '../../../src/vocabulary/states.ts';
import { ask } from './client.ts';
import { type List, nextQuery } from './lists.ts';
import type { SyncRun } from './syncs.ts';

const A_PAGE = 25;
/** Counts grow chunk by chunk, and no event says so. */
const PROGRESS_MS = 2_500;
const FIRST: URLSearchParams | null = null;

export type RejectedRow = Static<typeof rejectedRowSchema>;

export const isOpen = ({ status }: SyncRun) => status === 'queued' || status === 'running';

/** The runs of a sync within the last 90 days, newest first; those of one status, or all. */
export function syncRuns(sync: string, status: SyncRunStatus | null) {
  const first = { limit: A_PAGE, ...(status !== null && { 'status[]': [status] }) };
  return infiniteQueryOptions({
    queryKey: ['sync-runs', sync, status],
    queryFn: ({ pageParam, signal }) =>
      ask<List<SyncRun>>({
        path: `syncs/${encodeURIComponent(sync)}/runs`,
        query: pageParam ?? first,
        signal,
      }),
    initialPageParam: FIRST,
    getNextPageParam: nextQuery,
  });
}

/** One run with a line for each account. */
export function syncRun(id: string) {
  return queryOptions({
    queryKey: ['sync-run', id],
    queryFn: ({ signal }) =>
      ask<SyncRun>({
        path: `sync_runs/${encodeURIComponent(id)}`,
        query: { 'include[]': ['account_results'] },
        signal,
      }),
    refetchInterval: ({ state }) => (state.data !== undefined && isOpen(state.data) ? PROGRESS_MS : false),
  });
}

/** A run that has not begun yet. */
export function cancelRun(id: string): Promise<SyncRun> {
  return ask({ method: 'POST', path: `sync_runs/${encodeURIComponent(id)}/cancel` });
}

/** The first rows that the run could not deliver. */
export function rejectedRows({ id, sync, status }: Pick<SyncRun, 'id' | 'sync' | 'status'>) {
  return queryOptions({
    queryKey: ['sync-run', id, 'rejected-rows', status],
    queryFn: ({ signal }): Promise<{ readonly data: readonly RejectedRow[] }> =>
      ask({
        path: `syncs/${encodeURIComponent(sync)}/rejected_rows`,
        query: { sync_run: id, limit: '100' },
        signal,
      }),
  });
}
