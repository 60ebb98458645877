import { workQueue } from '../../storage/job-queue.ts';

/** Lists a connection's accounts until they have arrived. */
export const ACCOUNT_IMPORT = workQueue({
  name: 'account-import',
  payload: { connection: 'connection' },
  retry: { limit: 30, delaySeconds: 2 },
  expireSeconds: 120,
  concurrency: 4,
  perOwner: 2,
  onePer: 'connection',
});

/** Where versions before asked for the same, any number of times for one connection. Nothing is added any more. */
export const FORMER_ACCOUNT_IMPORT = workQueue({
  name: 'accounts-landing',
  payload: { connection: 'connection' },
  retry: { limit: 30, delaySeconds: 2 },
  expireSeconds: 120,
  concurrency: 2,
  perOwner: 1,
});

/** Runs what copies a connection of which the provider has new data. */
export const PROVIDER_DATA = workQueue({
  name: 'provider-data',
  payload: { connection: 'connection' },
  retry: { limit: 10, delaySeconds: 2 },
  expireSeconds: 60,
  concurrency: 4,
  perOwner: 2,
  onePer: 'connection',
});

/** Withdraws consents at the provider until that is confirmed, then deletes what was stored of the connection. */
export const CONNECTION_CLEANUP = workQueue({
  name: 'connection-cleanup',
  payload: { connection: 'connection' },
  retry: { limit: 100, delaySeconds: 2 },
  expireSeconds: 300,
  concurrency: 2,
  perOwner: 1,
});
