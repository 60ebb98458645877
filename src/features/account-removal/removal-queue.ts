import { workQueue } from '../../storage/job-queue.ts';

/** Takes away what is left of account records that are being deleted. */
export const ACCOUNT_REMOVAL = workQueue({
  name: 'account-removal',
  payload: { owner: 'account_record' },
  retry: { limit: 100, delaySeconds: 2 },
  expireSeconds: 600,
  concurrency: 2,
  perOwner: 1,
  onePer: 'owner',
});
