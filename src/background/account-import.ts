import type { AccountImport } from '../features/linking/account-import.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { findConnectionOwner } from '../storage/connections.ts';
import { currentConsents } from '../storage/consents.ts';
import type { Db } from '../storage/database.ts';
import { ACCOUNT_IMPORT } from '../storage/job-queues.ts';
import type { Jobs } from '../storage/jobs.ts';
import { publicId, type RowId } from '../vocabulary/ids.ts';
import { ServiceError } from '../vocabulary/service-error.ts';
import type { JobWorkers } from './job-workers.ts';
import { retryAt } from './periodic.ts';

const LEAST_WAIT_MS = 2_000;
const MOST_WAIT_MS = 300_000;
const GIVE_UP_AFTER_MS = 24 * 3_600_000;

export interface AccountImportOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly jobs: Pick<Jobs, 'enqueue'>;
  readonly log: Log;
  readonly accountImport: AccountImport;
}

/**
 * Lists a connection's accounts until they have arrived: a vendor's first sync takes from seconds to minutes. After a
 * day the connection stays as it is until it is refreshed.
 */
export function startAccountImport(
  options: AccountImportOptions & { readonly workers: Pick<JobWorkers, 'work'> },
): void {
  options.workers.work(ACCOUNT_IMPORT, async ({ connection }, signal) => {
    await importOnce(options, connection, signal);
  });
}

/** One attempt; enqueues the next one if it is due. Returns whether the work is done. */
export async function importOnce(
  options: AccountImportOptions,
  id: RowId<'connection'>,
  signal: AbortSignal,
): Promise<boolean> {
  const { db, clock, jobs, log, accountImport } = options;
  const owner = await findConnectionOwner(db, id);
  if (owner === null) return true;
  try {
    if ((await accountImport.importAsked(owner, id, signal)) !== 'not_ready') return true;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    log.warn('Failed to list accounts.', { connection: publicId('connection', id), code: error.code });
    if (error.code === 'upstream_auth_failed' || error.code === 'resource_missing') return true;
  }
  const consent = (await currentConsents(db, owner, [id])).get(id);
  const since = consent?.updated.getTime() ?? clock.now();
  if (clock.now() - since > GIVE_UP_AFTER_MS) {
    log.warn('Accounts did not arrive within a day; giving up.', { connection: publicId('connection', id) });
    return true;
  }
  const startAfter = retryAt(since, clock.now(), LEAST_WAIT_MS, MOST_WAIT_MS);
  await jobs.enqueue(db, ACCOUNT_IMPORT, { connection: id }, { startAfter, owner });
  return false;
}
