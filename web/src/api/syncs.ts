import { queryOptions } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type { syncRunSchema } from '../../../src/operations/v2/sync-runs/resource.ts';
import type {
  createSyncBody,
  syncSchema,
  updateSyncBody,
} from '../../../src/operations/v2/syncs/resource.ts';
import { ask } from './client.ts';
import { everyItem } from './lists.ts';

export type Sync = Static<typeof syncSchema>;
export type SyncRun = Static<typeof syncRunSchema>;
export type SyncBody = Static<typeof createSyncBody>;
export type SyncPatch = Static<typeof updateSyncBody>;

const RUNNING_MS = 4_000;
const WITH_RUN = { 'include[]': ['latest_run'] };

const pathOf = (id: string) => `syncs/${encodeURIComponent(id)}`;
const whileRunning = (some: readonly Sync[] | undefined) =>
  some?.some(({ status }) => status === 'running') === true ? RUNNING_MS : false;

export const syncs = queryOptions({
  queryKey: ['syncs'],
  queryFn: ({ signal }) => everyItem<Sync>({ path: 'syncs', query: WITH_RUN, signal }),
  refetchInterval: ({ state }) => whileRunning(state.data),
});

export function readSync(id: string, signal?: AbortSignal): Promise<Sync> {
  return ask({ path: pathOf(id), query: WITH_RUN, ...(signal !== undefined && { signal }) });
}

export function sync(id: string) {
  return queryOptions({
    queryKey: ['syncs', id],
    queryFn: ({ signal }) => readSync(id, signal),
    refetchInterval: ({ state }) => whileRunning(state.data === undefined ? [] : [state.data]),
  });
}

export function createSync(body: SyncBody): Promise<Sync> {
  return ask({ method: 'POST', path: 'syncs', body });
}

export function updateSync(id: string, body: SyncPatch): Promise<Sync> {
  return ask({ method: 'POST', path: pathOf(id), query: WITH_RUN, body });
}

export function deleteSync(id: string): Promise<unknown> {
  return ask({ method: 'DELETE', path: pathOf(id) });
}

export function runSync(id: string): Promise<SyncRun> {
  return ask({ method: 'POST', path: `${pathOf(id)}/run` });
}

/** Forgets what was delivered and sends everything since the first day again. */
export function resync(id: string): Promise<SyncRun> {
  return ask({ method: 'POST', path: `${pathOf(id)}/resync`, body: { confirm: true } });
}

/** Queues a run that reads these days again, both included. */
export function backfillSync(id: string, range: { from: string; to: string }): Promise<SyncRun> {
  return ask({ method: 'POST', path: `${pathOf(id)}/backfill`, body: range });
}
