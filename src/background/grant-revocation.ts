import { GRANT_REVOCATION } from '../features/destinations/destination-queues.ts';
import type { GrantRevocations } from '../features/destinations/grant-revocations.ts';
import type { Role } from '../platform/config.ts';
import type { Db } from '../storage/database.ts';
import type { Jobs } from '../storage/jobs.ts';

export interface GrantRevocationOptions {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly grantRevocations: GrantRevocations;
}

/** Ends at the vendors the grants that nobody uses any more. */
export async function startGrantRevocation(
  { db, jobs, grantRevocations }: GrantRevocationOptions,
  roles: readonly Role[],
): Promise<void> {
  if (!roles.includes('worker')) return;
  await jobs.work(GRANT_REVOCATION, async ({ owner }, signal) => {
    const startAfter = await grantRevocations.work(owner, signal);
    if (startAfter !== null) await jobs.enqueue(db, GRANT_REVOCATION, { owner }, { startAfter, owner });
  });
}
