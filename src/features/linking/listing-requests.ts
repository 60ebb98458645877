import { newRowId } from '../../platform/row-id.ts';
import { type Connection, updateConnection } from '../../storage/connections.ts';
import type { Db, Trx } from '../../storage/database.ts';
import { ACCOUNT_IMPORT } from '../../storage/job-queues.ts';
import type { LinkingDependencies } from './linking-dependencies.ts';

/**
 * Has the accounts of a connection listed by a job, from `startAfter` on or at once. The request has a name, so that a
 * listing that began before it does not pass for its answer, and one that began after it spares the job its own.
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
