import { type Static, Type } from 'typebox';
import { rangeOf } from '../../../features/syncs/run-ranges.ts';
import type { SyncRun } from '../../../features/syncs/sync-runs.ts';
import type { RejectedRow } from '../../../storage/rejected-rows.ts';
import type { SyncRunAccountRow, SyncRunRow } from '../../../storage/sync-runs.ts';
import { publicId } from '../../../vocabulary/ids.ts';
import { REJECTION_ORIGINS } from '../../../vocabulary/set-aside-rows.ts';
import { SYNC_RUN_STATUSES } from '../../../vocabulary/states.ts';
import {
  RUN_ACCOUNT_STATUSES,
  RUN_FAILURE_CODES,
  RUN_TRIGGERS,
  type RunCounts,
} from '../../../vocabulary/syncs.ts';
import type { ResourceDocs } from '../docs/docs.ts';
import { EXAMPLE_UPDATED, exampleId } from '../docs/examples.ts';
import {
  day,
  dayOf,
  dayWindow,
  idOf,
  livemode,
  moment,
  momentOrNull,
  nullable,
  oneOf,
  resource,
  timestamp,
} from '../schema/conventions.ts';

/** docs/rows-set-aside.md#in-syncs */
export const rejectedRowSchema = resource('rejected_row', {
  id: idOf('rejected_row'),
  object: Type.Literal('rejected_row'),
  sync: idOf('sync'),
  account: idOf('account'),
  origin: oneOf(REJECTION_ORIGINS),
  row: nullable(Type.String()),
  day: nullable(day),
  field: nullable(Type.String()),
  reason: Type.String(),
  first_sync_run: idOf('sync_run'),
  last_sync_run: idOf('sync_run'),
  last_seen: timestamp,
  livemode,
  created: timestamp,
});

export function presentRejectedRow(row: RejectedRow): Static<typeof rejectedRowSchema> {
  return {
    id: publicId('rejected_row', row.id),
    object: 'rejected_row',
    sync: publicId('sync', row.sync),
    account: publicId('account', row.account),
    origin: row.origin,
    row: row.source_id,
    day: row.day,
    field: row.field,
    reason: row.reason,
    first_sync_run: publicId('sync_run', row.first_run),
    last_sync_run: publicId('sync_run', row.last_run),
    last_seen: moment(row.last_seen),
    livemode: true,
    created: moment(row.first_seen),
  };
}

const count = Type.Integer({ minimum: 0 });

export const countsSchema = Type.Object(
  { processed: count, added: count, updated: count, rejected: count, skipped_by_rules: count },
  { additionalProperties: false },
);

const failureSchema = Type.Object(
  { code: oneOf(RUN_FAILURE_CODES), retryable: Type.Boolean() },
  { additionalProperties: false },
);

const accountResultSchema = Type.Object(
  {
    account: idOf('account'),
    status: oneOf(RUN_ACCOUNT_STATUSES),
    counts: countsSchema,
    failure: nullable(
      Type.Object(
        { code: Type.String({ description: 'A code of the error reference.' }) },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);

/** docs/resources.md#sync-run, with a result for each account if included. */
export const syncRunSchema = resource('sync_run', {
  id: idOf('sync_run'),
  object: Type.Literal('sync_run'),
  sync: idOf('sync'),
  destination: idOf('destination'),
  status: oneOf(SYNC_RUN_STATUSES),
  trigger: oneOf(RUN_TRIGGERS),
  range: nullable(Type.Object({ from: day, to: day }, { additionalProperties: false })),
  counts: countsSchema,
  rejected_unlisted: Type.Integer({ minimum: 0 }),
  failure: nullable(failureSchema),
  account_results: nullable(
    Type.Array(accountResultSchema, {
      description:
        'Only with include[]=account_results. An account is incomplete if the run ended before all of it was delivered, and while the bank still loads its history. Its counts are of what was read by then.',
    }),
  ),
  started_at: nullable(timestamp),
  completed_at: nullable(timestamp),
  duration_ms: Type.Integer({ minimum: 0, description: 'So far, while the run is under way.' }),
  livemode,
  created: timestamp,
});

export const backfillBody = Type.Object({
  from: dayOf('First day, YYYY-MM-DD in the zone of each account.'),
  to: Type.Optional(dayWindow.to),
});

/** `account_results` only where the run was read with its lines. */
export function presentSyncRun({ row, lines }: SyncRun, now: number): Static<typeof syncRunSchema> {
  return {
    id: publicId('sync_run', row.id),
    object: 'sync_run',
    sync: publicId('sync', row.sync),
    destination: publicId('destination', row.destination),
    status: row.status,
    trigger: row.trigger,
    range: rangeOf(row),
    counts: countsOf(row),
    rejected_unlisted: row.rejected_unlisted,
    failure: row.failure === null ? null : { code: row.failure, retryable: row.retryable ?? false },
    account_results: lines?.map(accountResult) ?? null,
    started_at: momentOrNull(row.started_at),
    completed_at: momentOrNull(row.completed_at),
    duration_ms: durationMs(row, now),
    livemode: true,
    created: moment(row.created),
  };
}

function accountResult(line: SyncRunAccountRow) {
  return {
    account: publicId('account', line.account),
    status: line.status,
    counts: countsOf(line),
    failure: line.failure === null ? null : { code: line.failure },
  };
}

function countsOf({ processed, added, updated, rejected, skipped_by_rules }: RunCounts): RunCounts {
  return { processed, added, updated, rejected, skipped_by_rules };
}

function durationMs(row: SyncRunRow, now: number): number {
  if (row.started_at === null) return 0;
  return Math.max(0, (row.completed_at?.getTime() ?? now) - row.started_at.getTime());
}

export const syncRunExample: Static<typeof syncRunSchema> = {
  id: exampleId('sync_run'),
  object: 'sync_run',
  sync: exampleId('sync'),
  destination: exampleId('destination'),
  status: 'succeeded',
  trigger: 'schedule',
  range: null,
  counts: { processed: 42, added: 40, updated: 1, rejected: 0, skipped_by_rules: 1 },
  rejected_unlisted: 0,
  failure: null,
  account_results: null,
  started_at: '2026-11-20T22:05:07.100Z',
  completed_at: EXAMPLE_UPDATED,
  duration_ms: 2318,
  livemode: true,
  created: '2026-11-20T22:05:06.980Z',
};

export const queuedRunExample: Static<typeof syncRunSchema> = {
  ...syncRunExample,
  status: 'queued',
  trigger: 'api',
  counts: { processed: 0, added: 0, updated: 0, rejected: 0, skipped_by_rules: 0 },
  started_at: null,
  completed_at: null,
  duration_ms: 0,
};

const rejectedRowExample: Static<typeof rejectedRowSchema> = {
  id: exampleId('rejected_row'),
  object: 'rejected_row',
  sync: exampleId('sync'),
  account: exampleId('account'),
  origin: 'provider',
  row: 'txn_fk_8f21c0',
  day: '2026-11-18',
  field: 'amount',
  reason: 'unreadable',
  first_sync_run: exampleId('sync_run'),
  last_sync_run: exampleId('sync_run'),
  last_seen: EXAMPLE_UPDATED,
  livemode: true,
  created: '2026-11-20T22:05:06.980Z',
};

export const syncRunsDocs: Readonly<Record<string, ResourceDocs>> = {
  sync_run: {
    description: 'One execution of a sync.',
    fields: {
      trigger: 'What queued it.',
      range: 'The only days that a backfill reads, both included. null: what is due.',
      counts:
        'The outcome of the rows that were read. rejected: they could not be read, or the destination refused them.',
      rejected_unlisted: 'How many of the rejected rows the list of the sync has no room for.',
      failure: 'Why it failed, once it has; retryable: running it again can help.',
    },
    example: syncRunExample,
  },
  rejected_row: {
    description: 'A row that a sync could not deliver when it last met it.',
    fields: {
      origin: 'provider: it could not be read from the bank; destination: it was refused there.',
      row: 'The id of the row; null if it has none that can be read.',
      field: 'The member of the row that is at fault; null if it is not a single one.',
      reason: 'Why, as the page on rows set aside lists.',
      first_sync_run: 'The run that met it first.',
      last_sync_run: 'The run that met it last.',
      last_seen: 'When that run ended.',
    },
    example: rejectedRowExample,
  },
};
