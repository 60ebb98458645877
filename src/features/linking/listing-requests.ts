import { newRowId } from '../../platform/row-id.ts';
import { type Connection, updateConnection } from '../../storage/connections.ts';
import type { Db, Trx } from '../../storage/database.ts';
import { ACCOUNT_IMPORT } from '../../storage/job-queues.ts';
import type { LinkingDependencies } from './linking-dependencies.ts';

/**
 * Queues a job that lists the accounts of a connection, at `startAfter` or immediately. The request has a name, so that
 * a listing that began before it does not count as its result, and one that began after it makes the job unnecessary.
 */
export async function askForListing(
  { clock, jobs }: Pick<LinkingDependencies, 'clock' | 'jobs'>,
  db: Db | Trx,
  { account_record: owner, id }: Pick<Connection, 'account_record' | 'id'>,
  startAfter?: Date,
): Promise<void> {
  await updateConnection(db, owner, id, { listing_asked: newRowId(clock) });
  const when = startAfter === undefined ? {} : { startAfter };
  await jobs.enqueue(db, ACCOUNT_IMPORT, { connection: id }, { ...when, owner });
}
