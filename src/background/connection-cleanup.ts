import type { ConnectionRevocation } from '../features/linking/connection-revocation.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { findConnectionOwner } from '../storage/connections.ts';
import type { Db } from '../storage/database.ts';
import { CONNECTION_CLEANUP } from '../storage/job-queues.ts';
import type { Jobs } from '../storage/jobs.ts';
import { publicId, type RowId } from '../vocabulary/ids.ts';
import { ServiceError } from '../vocabulary/service-error.ts';
import type { JobWorkers } from './job-workers.ts';
import { retryAt } from './periodic.ts';

const LEAST_WAIT_MS = 5_000;
const MOST_WAIT_MS = 3_600_000;

export interface ConnectionCleanupOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly jobs: Pick<Jobs, 'enqueue'>;
  readonly log: Log;
  readonly connectionRevocation: ConnectionRevocation;
}

/** Finishes deletions: tries until the provider confirms the withdrawal and nothing of the connection is left. */
export function workConnectionCleanup(
  options: ConnectionCleanupOptions & { readonly workers: Pick<JobWorkers, 'work'> },
): void {
  options.workers.work(CONNECTION_CLEANUP, async ({ connection }, signal) => {
    await cleanUpOnce(options, connection, signal);
  });
}

/** One attempt; enqueues the next one if anything is left, without a limit. Returns whether it is done. */
export async function cleanUpOnce(
  options: ConnectionCleanupOptions,
  id: RowId<'connection'>,
  signal: AbortSignal,
): Promise<boolean> {
  const { db, clock, jobs, log, connectionRevocation } = options;
  try {
    await connectionRevocation.cleanUp(id, signal);
    return true;
  } catch (error) {
    const code = error instanceof ServiceError ? error.code : 'internal_error';
    log.warn('Failed to clean up a deleted connection; trying again later.', {
      connection: publicId('connection', id),
      code,
    });
  }
  const since = await connectionRevocation.pendingSince(id);
  const owner = await findConnectionOwner(db, id);
  if (since === null || owner === null) return true;
  const startAfter = retryAt(since, clock.now(), LEAST_WAIT_MS, MOST_WAIT_MS);
  await jobs.enqueue(db, CONNECTION_CLEANUP, { connection: id }, { startAfter, owner });
  return false;
}
