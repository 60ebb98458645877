import type { ConnectionRevocation } from '../features/connection-revocation.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Db } from '../storage/database.ts';
import type { Jobs } from '../storage/jobs.ts';
import { type RowId, rowId } from '../vocabulary/ids.ts';
import { ServiceError } from '../vocabulary/service-error.ts';
import { retryAt } from './backoff.ts';

const CONCURRENCY = 2;
const LEAST_WAIT_MS = 5_000;
const MOST_WAIT_MS = 3_600_000;

export interface ConnectionCleanupOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly jobs: Jobs;
  readonly log: Log;
  readonly connectionRevocation: ConnectionRevocation;
}

/** Finishes deletions: tries until the provider confirms the withdrawal and nothing of the connection is left. */
export async function workConnectionCleanup(options: ConnectionCleanupOptions): Promise<void> {
  await options.jobs.work('connection-cleanup', CONCURRENCY, async ({ connection }, signal) => {
    await cleanUpOnce(options, rowId('connection', connection), signal);
  });
}

/** One attempt; enqueues the next where something is left. There is no last attempt. Returns whether it is done. */
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
    log.warn('A deleted connection is not cleaned up yet; it will be tried again.', { connection: id, code });
  }
  const since = await connectionRevocation.pendingSince(id);
  if (since === null) return true;
  const startAfter = retryAt(since, clock.now(), LEAST_WAIT_MS, MOST_WAIT_MS);
  await jobs.enqueue(db, 'connection-cleanup', { connection: id }, { startAfter });
  return false;
}
