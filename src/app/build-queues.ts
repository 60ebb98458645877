import { ACCOUNT_REMOVAL } from '../features/account-removal/removal-queue.ts';
import { GRANT_REVOCATION } from '../features/destinations/destination-queues.ts';
import { EVENT_RETRY } from '../features/events/event-queues.ts';
import {
  ACCOUNT_IMPORT,
  CONNECTION_CLEANUP,
  FORMER_ACCOUNT_IMPORT,
  PROVIDER_DATA,
} from '../features/linking/linking-queues.ts';
import { SYNC_RUN } from '../features/syncs/run-queue.ts';
import type { JobQueue } from '../storage/job-queue.ts';

/** Every queue, declared by the feature that owns it. Adding one adds a line here. */
export const QUEUES: readonly JobQueue[] = [
  SYNC_RUN,
  ACCOUNT_IMPORT,
  FORMER_ACCOUNT_IMPORT,
  PROVIDER_DATA,
  CONNECTION_CLEANUP,
  GRANT_REVOCATION,
  ACCOUNT_REMOVAL,
  EVENT_RETRY,
];
