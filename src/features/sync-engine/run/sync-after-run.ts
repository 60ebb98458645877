import type { Trx } from '../../../storage/database.ts';
import { hasDoubts } from '../../../storage/stream-readings.ts';
import { type SyncRow, updateSync } from '../../../storage/syncs.ts';
import type { Limits } from '../../../vocabulary/limits.ts';
import { type AttentionCode, RUN_FAILURES } from '../../../vocabulary/syncs.ts';
import type { EventTrigger } from '../../events/event-trigger.ts';
import { nextRetry, nextRunOf } from '../../syncs/schedule-times.ts';
import type { RunFailure, RunResult } from './run-result.ts';

/**
 * When the sync was last brought up to date, how often it failed since, and when it runs next: for the runs that read
 * what is due. A backfill changes nothing of it.
 */
export async function finishSchedule(
  trx: Trx,
  limits: Limits,
  sync: SyncRow,
  { failure, again }: RunResult,
  destinationDisabled: boolean,
  at: Date,
): Promise<void> {
  const scheduled = nextRunOf(sync, at.getTime(), limits);
  if (failure === null) {
    const next = again === null ? scheduled : nextRetry(at.getTime(), again, scheduled);
    await updateSync(trx, sync.account_record, sync.id, {
      failed_runs: 0,
      last_synced_at: at,
      next_run_at: sync.enabled ? next : null,
    });
    return;
  }
  const failedRuns = sync.failed_runs + 1;
  const retry = failure.retryable ? nextRetry(at.getTime(), failedRuns, scheduled) : scheduled;
  const allowed = at.getTime() + (failure.retryAfterSeconds ?? 0) * 1000;
  const next = new Date(Math.max(retry.getTime(), allowed));
  await updateSync(trx, sync.account_record, sync.id, {
    failed_runs: failedRuns,
    next_run_at: sync.enabled && !destinationDisabled ? next : null,
  });
}

/** What a person has to look at after a run of either kind. */
export async function finishAttention(
  trx: Trx,
  events: EventTrigger,
  sync: SyncRow,
  { failure }: RunResult,
  destinationDisabled: boolean,
): Promise<void> {
  const attention = await attentionAfter(trx, sync, failure, destinationDisabled);
  await updateSync(trx, sync.account_record, sync.id, { attention });
  if (attention !== null && attention !== sync.attention) {
    await events(trx, sync.account_record, 'sync.attention', sync.id);
  }
}

async function attentionAfter(
  trx: Trx,
  sync: SyncRow,
  failure: RunFailure | null,
  destinationDisabled: boolean,
): Promise<AttentionCode | null> {
  if (failure === null) return (await hasDoubts(trx, sync.id)) ? 'data_invalid' : null;
  if (destinationDisabled) return 'destination_disabled';
  return failure.attention ?? RUN_FAILURES[failure.code].attention;
}
