import { randomUUID } from 'node:crypto';
import type { SyncEngine } from '../features/sync-engine/run/sync-engine.ts';
import type { SyncRuns } from '../features/syncs/sync-runs.ts';
import type { Clock } from '../platform/clock.ts';
import type { Role } from '../platform/config.ts';
import type { Log } from '../platform/log.ts';
import type { OpenDatabase } from '../storage/database.ts';
import type { Jobs } from '../storage/jobs.ts';
import { beatWorker, endWorker, WORKER_BEAT_MS } from '../storage/worker-processes.ts';
import type { Limits } from '../vocabulary/limits.ts';
import { Periodic } from './periodic.ts';
import { Runs } from './runs.ts';
import { Schedules } from './schedules.ts';

export interface SyncingWorkOptions {
  readonly database: OpenDatabase;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly log: Log;
  readonly jobs: Jobs;
  readonly syncRuns: SyncRuns;
  readonly syncEngine: SyncEngine;
}

/**
 * Starts the work of the roles, after the job queue. The answer stops it within a deadline: schedulers first, then
 * runs at their next chunk; stop the queue after that.
 */
export async function startSyncingWork(
  options: SyncingWorkOptions,
  roles: readonly Role[],
): Promise<(deadlineMs: number) => Promise<void>> {
  const { database, syncEngine } = options;
  const { db } = database;
  const alone = database.kind === 'embedded';
  const runs = new Runs({ ...options, db, alone, engine: syncEngine });
  const schedules = new Schedules({ ...options, db });
  const id = randomUUID();
  const beating = new Periodic(options, 'worker heartbeat', WORKER_BEAT_MS, () =>
    beatWorker(db, id, new Date(options.clock.now())),
  );
  const isWorker = roles.includes('worker');
  if (isWorker) {
    await runs.start();
    beating.start();
  }
  if (roles.includes('scheduler')) schedules.start();
  return async (deadlineMs) => {
    await schedules.stop();
    await runs.stop(deadlineMs);
    await beating.stop();
    // Where the database is unreachable, the heartbeat expires by itself.
    if (isWorker) await endWorker(db, id).catch(() => undefined);
  };
}
