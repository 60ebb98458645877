import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { CategoryMapping, Sync, SyncRun, SyncsUpdateInput } from '#client';
import type { SyncRunStatus } from '../../../src/vocabulary/states.ts';
import { api } from './client.ts';
import { paged } from './queries.ts';
import { useEvents } from './use-events.ts';

const RUNNING_MS = 4_000;
const RUNS_A_PAGE = 25;
/** Counts grow chunk by chunk, and no event says so. */
const PROGRESS_MS = 2_500;
/** Many runs may begin and end at once, so data is refetched at most this often. */
const APART_MS = 1_500;
/** Everything about syncs and their runs that pages have read. */
const KEYS = [['syncs'], ['sync-runs'], ['sync-run']] as const;

const whileRunning = (some: readonly Sync[] | undefined) =>
  some?.some(({ status }) => status === 'running') === true ? RUNNING_MS : false;

export const syncs = queryOptions({
  queryKey: ['syncs'],
  queryFn: ({ signal }) => api.syncs.list({ limit: 100, include: ['latest_run'] }, { signal }).all(),
  refetchInterval: ({ state }) => whileRunning(state.data),
});

export function sync(id: string) {
  return queryOptions({
    queryKey: ['syncs', id],
    queryFn: ({ signal }) => api.syncs.get({ id, include: ['latest_run'] }, { signal }),
    refetchInterval: ({ state }) => whileRunning(state.data === undefined ? [] : [state.data]),
  });
}

export function updateSync(input: SyncsUpdateInput): Promise<Sync> {
  return api.syncs.update({ ...input, include: ['latest_run'] });
}

export const isOpen = ({ status }: SyncRun) => status === 'queued' || status === 'running';

/** The runs of a sync within the last 90 days, newest first; those of one status, or all. */
export function syncRuns(id: string, status: SyncRunStatus | null) {
  const filters = status === null ? {} : { status: [status] };
  return paged(
    ['sync-runs', id, status],
    (page, options) => api.syncs.listRuns({ id, ...filters, ...page }, options),
    RUNS_A_PAGE,
  );
}

/** One run with a line for each account. */
export function syncRun(id: string) {
  return queryOptions({
    queryKey: ['sync-run', id],
    queryFn: ({ signal }) => api.syncRuns.get({ id, include: ['account_results'] }, { signal }),
    refetchInterval: ({ state }) => (state.data !== undefined && isOpen(state.data) ? PROGRESS_MS : false),
  });
}

/** The first rows that the run could not deliver. */
export function rejectedRows({ id, sync, status }: Pick<SyncRun, 'id' | 'sync' | 'status'>) {
  return queryOptions({
    queryKey: ['sync-run', id, 'rejected-rows', status],
    queryFn: ({ signal }) =>
      api.syncs.listRejectedRows({ id: sync, sync_run: id, limit: 100 }, { signal }).page(),
  });
}

export type MappedCategory = Omit<CategoryMapping, 'object'>;

/** Which category of a budgeting app gets the rows of which code. */
export function categoryMappings(id: string) {
  return queryOptions({
    queryKey: ['category-mappings', id],
    queryFn: ({ signal }) => api.syncs.listCategoryMappings({ id }, { signal }).all(),
  });
}

/** While the component is shown, syncs and runs are refetched when an event says that one of them changed. */
export function useLiveSyncs(): void {
  const queries = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const last = useRef(0);
  const readAgain = () => {
    if (timer.current !== undefined) return;
    const wait = Math.max(0, last.current + APART_MS - performance.now());
    timer.current = setTimeout(() => {
      timer.current = undefined;
      last.current = performance.now();
      for (const queryKey of KEYS) queries.invalidateQueries({ queryKey });
    }, wait);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  useEvents({
    onEvent: ({ type }) => {
      if (type.startsWith('sync')) readAgain();
    },
    onGap: readAgain,
  });
}
