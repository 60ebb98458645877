import type { Syncing } from '../features/syncing.ts';
import type { Clock } from '../platform/clock.ts';
import type { Role } from '../platform/config.ts';
import type { Log } from '../platform/log.ts';
import type { OpenDatabase } from '../storage/database.ts';
import type { Jobs } from '../storage/jobs.ts';
import type { Limits } from '../vocabulary/limits.ts';
import { Runs } from './runs.ts';
import { Schedules } from './schedules.ts';

/** Runs at once in one process; each waits on the network most of its time. */
const CONCURRENCY = 4;

export interface SyncingWorkOptions {
  readonly database: OpenDatabase;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly log: Log;
  readonly jobs: Jobs;
  readonly syncing: Syncing;
}

/**
 * Starts the work of the roles, after the job queue. The answer stops it within a deadline: schedulers first, then
 * runs at their next chunk; stop the queue after that.
 */
export async function startSyncingWork(
  options: SyncingWorkOptions,
  roles: readonly Role[],
): Promise<(deadlineMs: number) => Promise<void>> {
  const { database, syncing } = options;
  const { db } = database;
  const alone = database.kind === 'embedded';
  const runs = new Runs({ ...options, db, alone, engine: syncing.syncEngine, concurrency: CONCURRENCY });
  const schedules = new Schedules({ ...options, db, syncRuns: syncing.syncRuns });
  if (roles.includes('worker')) await runs.start();
  if (roles.includes('scheduler')) schedules.start();
  return async (deadlineMs) => {
    await schedules.stop();
    await runs.stop(deadlineMs);
  };
}
