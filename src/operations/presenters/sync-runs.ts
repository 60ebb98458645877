import type { Static } from 'typebox';
import { rangeOf } from '../../features/syncs/run-ranges.ts';
import type { SyncRun } from '../../features/syncs/sync-runs.ts';
import type { SyncRunAccountRow, SyncRunRow } from '../../storage/sync-runs.ts';
import { publicId } from '../../vocabulary/ids.ts';
import type { RunCounts } from '../../vocabulary/syncs.ts';
import type { syncRunSchema } from '../schemas/sync-runs.ts';
import { moment, momentOrNull } from './moments.ts';

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
