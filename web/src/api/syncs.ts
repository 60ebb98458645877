import { queryOptions } from '@tanstack/react-query';
import type { CategoryMapping, Sync, SyncRun, SyncsUpdateInput } from '#client';
import type { SyncRunStatus } from '../../../src/vocabulary/states.ts';
import { api } from './client.ts';
import { paged } from './queries.ts';

const RUNNING_MS = 4_000;
const RUNS_A_PAGE = 25;
/** Counts grow chunk by chunk, and no event says so. */
const PROGRESS_MS = 2_500;

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

export function updateSync(input: SyncsUpdateInput, by = api): Promise<Sync> {
  return by.syncs.update({ ...input, include: ['latest_run'] });
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
