import { workQueue } from '../../storage/job-queue.ts';

/** Ends at the vendors the grants that an account record no longer uses. The grants wait in the database, sealed. */
export const GRANT_REVOCATION = workQueue({
  name: 'grant-revocation',
  payload: { owner: 'account_record' },
  retry: { limit: 100, delaySeconds: 2 },
  expireSeconds: 600,
  concurrency: 2,
  perOwner: 1,
  onePer: 'owner',
});
