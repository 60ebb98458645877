import type { AccountRemoval } from '../features/account-removal/account-removal.ts';
import { ACCOUNT_REMOVAL } from '../features/account-removal/removal-queue.ts';
import type { Role } from '../platform/config.ts';
import { accountRecordsBeingRemoved } from '../storage/account-removals.ts';
import type { Db } from '../storage/database.ts';
import type { Jobs } from '../storage/jobs.ts';

export interface AccountRemovalOptions {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly accountRemoval: AccountRemoval;
}

/** Deletes account records for which that was asked, trying until nothing is left. */
export async function startAccountRemoval(
  { db, jobs, accountRemoval }: AccountRemovalOptions,
  roles: readonly Role[],
): Promise<void> {
  if (!roles.includes('worker')) return;
  await jobs.work(ACCOUNT_REMOVAL, async ({ owner }, signal) => {
    const startAfter = await accountRemoval.work(owner, signal);
    if (startAfter !== null) await jobs.enqueue(db, ACCOUNT_REMOVAL, { owner }, { startAfter, owner });
  });
  // A job that failed as often as it may, while the database was away for hours, has no other successor.
  for (const owner of await accountRecordsBeingRemoved(db)) {
    await jobs.enqueue(db, ACCOUNT_REMOVAL, { owner }, { owner });
  }
}
