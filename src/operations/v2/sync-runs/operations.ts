import { Type } from 'typebox';
import { askedBy } from '../../../features/syncs/run-queue.ts';
import { formatInstant } from '../../../vocabulary/moments.ts';
import { REJECTION_ORIGINS } from '../../../vocabulary/set-aside-rows.ts';
import { SYNC_RUN_STATUSES } from '../../../vocabulary/states.ts';
import { permitSyncChange } from '../../admit.ts';
import { type Operation, operation } from '../../operation.ts';
import { ListRequest, listOf, pagingQuery, wholeList } from '../../paging.ts';
import { EXAMPLE_UPDATED } from '../docs/examples.ts';
import { fieldId, idOf, idParams, oneOf, pathId, timestamp } from '../schema/conventions.ts';
import { resyncBody } from '../syncs/resource.ts';
import {
  backfillBody,
  presentRejectedRow,
  presentSyncRun,
  queuedRunExample,
  rejectedRowSchema,
  syncRunSchema,
} from './resource.ts';

const read = 'syncs:read';
const write = 'syncs:write';
const includes = ['account_results'];

export const syncRunOperations: readonly Operation[] = [
  operation({
    id: 'run_sync',
    summary: 'Queue a run of a sync',
    docs: { answer: queuedRunExample },
    method: 'POST',
    path: '/v2/syncs/:id/run',
    scope: write,
    tier: 'mutating',
    params: idParams('sync'),
    status: 202,
    response: syncRunSchema,
    errors: [
      'resource_missing',
      'sync_disabled',
      'destination_disabled',
      'destination_incomplete',
      'sync_already_running',
      'sync_has_no_destination',
      'sync_dispatch_failed',
    ],
    handle: async ({ params, caller, services }) => {
      const id = pathId('sync', params.id);
      await permitSyncChange({ caller, services }, id);
      const run = await services.syncRuns.start(caller.accountRecord.id, id, askedBy(caller));
      return presentSyncRun(run, services.clock.now());
    },
  }),
  operation({
    id: 'backfill_sync',
    summary: 'Queue a run of a sync that reads a range of days and nothing else',
    docs: {
      description:
        'Queues a run that reads the days from `from` to `to` again and delivers what is missing or changed there. Nothing else changes: not what later runs read, not when the sync runs next. Nothing from before `options.data_from` is delivered.',
      body: { from: '2026-07-01', to: '2026-07-31' },
      answer: { ...queuedRunExample, range: { from: '2026-07-01', to: '2026-07-31' } },
    },
    method: 'POST',
    path: '/v2/syncs/:id/backfill',
    scope: write,
    tier: 'mutating',
    params: idParams('sync'),
    body: backfillBody,
    status: 202,
    response: syncRunSchema,
    errors: [
      'resource_missing',
      'not_supported',
      'invalid_date_range',
      'from_too_old',
      'sync_disabled',
      'destination_disabled',
      'destination_incomplete',
      'sync_already_running',
      'sync_has_no_destination',
      'sync_dispatch_failed',
    ],
    handle: async ({ params, body, caller, services }) => {
      const id = pathId('sync', params.id);
      await permitSyncChange({ caller, services }, id);
      const asked = { from: body.from, to: body.to ?? null };
      const run = await services.syncRuns.backfill(caller.accountRecord, id, asked, askedBy(caller));
      return presentSyncRun(run, services.clock.now());
    },
  }),
  operation({
    id: 'resync',
    summary: 'Forget what was delivered and deliver everything from data_from again',
    docs: {
      description:
        'Rewinds to `options.data_from`. Rows that were delivered are delivered again, under the same ids.',
      sent: { confirm: 'Must be true.' },
      body: { confirm: true },
      answer: { ...queuedRunExample, trigger: 'resync' },
    },
    method: 'POST',
    path: '/v2/syncs/:id/resync',
    scope: write,
    tier: 'mutating',
    params: idParams('sync'),
    body: resyncBody,
    response: syncRunSchema,
    errors: [
      'resource_missing',
      'sync_disabled',
      'destination_disabled',
      'destination_incomplete',
      'sync_has_no_destination',
      'sync_dispatch_failed',
    ],
    handle: async ({ params, caller, services }) => {
      const id = pathId('sync', params.id);
      await permitSyncChange({ caller, services }, id);
      const run = await services.syncRuns.resync(caller.accountRecord.id, id, caller);
      return presentSyncRun(run, services.clock.now());
    },
  }),
  operation({
    id: 'list_sync_runs',
    summary: "List a sync's runs of the last 90 days",
    method: 'GET',
    path: '/v2/syncs/:id/runs',
    scope: read,
    tier: 'cheap',
    params: idParams('sync'),
    query: Type.Object({
      ...pagingQuery,
      status: Type.Optional(Type.Array(oneOf(SYNC_RUN_STATUSES), { maxItems: SYNC_RUN_STATUSES.length })),
    }),
    includes,
    response: listOf(syncRunSchema),
    errors: ['resource_missing'],
    handle: async (request) => {
      const { caller, services, include, params } = request;
      const sync = pathId('sync', params.id);
      const paging = new ListRequest(
        request,
        `list_sync_runs ${sync}`,
        `/v2/syncs/${params.id}/runs`,
        request.query,
      );
      const asked = new Set<string>(paging.filterList('status'));
      const page = await services.syncRuns.list(
        caller.accountRecord.id,
        { sync, statuses: SYNC_RUN_STATUSES.filter((status) => asked.has(status)) },
        paging.pageRequest,
        include.has('account_results'),
      );
      return paging.envelope(page, (run) => presentSyncRun(run, services.clock.now()));
    },
  }),
  operation({
    id: 'list_rejected_rows',
    summary: 'List the rows that a sync could not deliver',
    docs: {
      sent: {
        origin:
          'Only rows that could not be read from the bank (provider), or that were refused (destination).',
      },
      description:
        'At most 1,000 rows of a sync are remembered. A row that was delivered since, or that the bank has no more, is not listed any more.',
    },
    method: 'GET',
    path: '/v2/syncs/:id/rejected_rows',
    scope: read,
    tier: 'cheap',
    params: idParams('sync'),
    query: Type.Object({
      ...pagingQuery,
      sync_run: Type.Optional(idOf('sync_run', 'Only rows that this run, run_…, met last.')),
      origin: Type.Optional(oneOf(REJECTION_ORIGINS)),
    }),
    response: listOf(rejectedRowSchema),
    errors: ['resource_missing'],
    handle: async (request) => {
      const { caller, services, params } = request;
      const sync = pathId('sync', params.id);
      const path = `/v2/syncs/${params.id}/rejected_rows`;
      const paging = new ListRequest(request, `list_rejected_rows ${sync}`, path, request.query);
      const run = paging.filter('sync_run');
      const asked = paging.filter('origin');
      const filter = {
        sync,
        run: run === undefined ? null : fieldId('sync_run', run, 'sync_run'),
        origin: REJECTION_ORIGINS.find((origin) => origin === asked) ?? null,
      };
      const page = await services.syncRuns.rejected(caller.accountRecord.id, filter, paging.pageRequest);
      return paging.envelope(page, presentRejectedRow);
    },
  }),
  operation({
    id: 'get_sync_run',
    summary: 'Read a run',
    method: 'GET',
    path: '/v2/sync_runs/:id',
    scope: read,
    tier: 'cheap',
    params: idParams('sync_run'),
    includes,
    response: syncRunSchema,
    errors: ['resource_missing'],
    handle: async ({ params, caller, services, include }) => {
      const id = pathId('sync_run', params.id);
      const run = await services.syncRuns.read(caller.accountRecord.id, id, include.has('account_results'));
      return presentSyncRun(run, services.clock.now());
    },
  }),
  operation({
    id: 'cancel_sync_run',
    summary: 'Cancel a run that is still queued',
    docs: {
      answer: { ...queuedRunExample, status: 'cancelled', completed_at: EXAMPLE_UPDATED },
    },
    method: 'POST',
    path: '/v2/sync_runs/:id/cancel',
    scope: write,
    tier: 'mutating',
    params: idParams('sync_run'),
    response: syncRunSchema,
    errors: ['resource_missing', 'run_not_cancellable'],
    handle: async ({ params, caller, services }) => {
      const run = await services.syncRuns.cancel(caller.accountRecord.id, pathId('sync_run', params.id));
      return presentSyncRun(run, services.clock.now());
    },
  }),
];

const refreshedRuns = listOf(syncRunSchema);

/** The runs, and whether the cache of the connection was purged (docs/resources.md#caching). */
const refreshSchema = Type.Object(
  {
    ...refreshedRuns.properties,
    reads: Type.Object(
      { purged: Type.Boolean(), purged_at: timestamp, available_at: timestamp },
      {
        additionalProperties: false,
        description:
          'Whether the cached balances, details and transactions of the connection were purged, so that the next reads ask the provider; when they were purged last; and from when a refresh purges them again.',
      },
    ),
  },
  { additionalProperties: false },
);

/** Beside the other operations on connections, because what it answers with is runs. */
export const connectionRefreshOperations: readonly Operation[] = [
  operation({
    id: 'refresh_connection',
    summary: 'Read the connection again, and queue a run of every enabled sync that reads it',
    docs: {
      description:
        'Answers the queued runs; a sync that is running already is left alone. What is cached of the connection is purged, once in 15 minutes; `reads` says whether it was.',
      answer: {
        object: 'list',
        data: [queuedRunExample],
        next_page_url: null,
        previous_page_url: null,
        reads: { purged: true, purged_at: EXAMPLE_UPDATED, available_at: '2026-11-20T22:20:09.418Z' },
      },
    },
    method: 'POST',
    path: '/v2/connections/:id/refresh',
    scope: 'connections:write',
    tier: 'mutating',
    params: idParams('connection'),
    status: 202,
    response: refreshSchema,
    errors: ['resource_missing', 'upstream_auth_failed', 'sync_dispatch_failed'],
    handle: async ({ params, caller, services }) => {
      const owner = caller.accountRecord.id;
      const id = pathId('connection', params.id);
      const { taken, at, next } = await services.connections.refresh(owner, id);
      const runs = await services.syncRuns.refreshConnection(owner, id, askedBy(caller));
      const data = runs.map((run) => presentSyncRun(run, services.clock.now()));
      const reads = { purged: taken, purged_at: formatInstant(at), available_at: formatInstant(next) };
      return { ...wholeList(data), reads };
    },
  }),
];
