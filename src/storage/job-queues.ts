import { isRowId, type OwnerId, type ResourceType, type RowId } from '../vocabulary/ids.ts';

/**
 * What the jobs of a queue carry: ids by the kind of resource they name, and nothing else, because a payload is a row in
 * the database and financial data is never stored.
 */
export type PayloadSchema = Readonly<Record<string, ResourceType>>;
export type Payload<S extends PayloadSchema> = { readonly [Member in keyof S]: RowId<S[Member]> };

export interface JobQueue<S extends PayloadSchema = PayloadSchema> {
  /** Never changes: jobs of earlier versions are queued under it. */
  readonly name: string;
  readonly payload: S;
  /**
   * For a worker that dies or throws. Each delay is twice the one before; a job's own code decides what else to retry.
   */
  readonly retry: { readonly limit: number; readonly delaySeconds: number };
  /** After this long a job counts as failed, whatever its worker does. */
  readonly expireSeconds: number;
  /** How many jobs one process runs at once, and how many of those for one account record: at most half. */
  readonly concurrency: number;
  readonly perOwner: number;
  /**
   * The payload member for each value of which at most one job waits for its first attempt. Enqueuing another makes the
   * waiting one start no later than the other would have.
   */
  readonly onePer?: keyof S & string;
}

/** Declares a queue. Raises a TypeError if one account record could take all of its workers. */
export function jobQueue<const S extends PayloadSchema>(queue: JobQueue<S>): JobQueue<S> {
  const { name, concurrency, perOwner } = queue;
  if (concurrency < 2 || perOwner < 1 || perOwner > concurrency / 2) {
    throw new TypeError(`${name}: one account record may take at most half of two or more workers`);
  }
  return queue;
}

/** Whether a job's payload is what its queue declares. Members that a newer version added are ignored. */
export function isPayload<S extends PayloadSchema>(schema: S, data: unknown): data is Payload<S> {
  if (typeof data !== 'object' || data === null) return false;
  const carried = new Map<string, unknown>(Object.entries(data));
  return Object.entries(schema).every(([member, resource]) => {
    const id = carried.get(member);
    return typeof id === 'string' && isRowId(resource, id);
  });
}

/** Lists a connection's accounts until they have arrived. */
export const ACCOUNT_IMPORT = jobQueue({
  name: 'account-import',
  payload: { connection: 'connection' },
  retry: { limit: 30, delaySeconds: 2 },
  expireSeconds: 120,
  concurrency: 4,
  perOwner: 2,
  onePer: 'connection',
});

/** Starts the syncs of a connection for which the provider has new data. */
export const PROVIDER_DATA = jobQueue({
  name: 'provider-data',
  payload: { connection: 'connection' },
  retry: { limit: 10, delaySeconds: 2 },
  expireSeconds: 60,
  concurrency: 4,
  perOwner: 2,
  onePer: 'connection',
});

/** Runs a sync again for new data, after a run that may have read its accounts before. */
export const SYNC_NEW_DATA = jobQueue({
  name: 'sync-new-data',
  payload: { sync: 'sync', owner: 'account_record' },
  retry: { limit: 10, delaySeconds: 2 },
  expireSeconds: 60,
  concurrency: 4,
  perOwner: 2,
  onePer: 'sync',
});

/** Withdraws consents at the provider until that is confirmed, then deletes what was stored about the connection. */
export const CONNECTION_CLEANUP = jobQueue({
  name: 'connection-cleanup',
  payload: { connection: 'connection' },
  retry: { limit: 100, delaySeconds: 2 },
  expireSeconds: 300,
  concurrency: 2,
  perOwner: 1,
});

/** Ends at the vendors the grants that an account record no longer uses. The grants wait in the database, sealed. */
export const GRANT_REVOCATION = jobQueue({
  name: 'grant-revocation',
  payload: { owner: 'account_record' },
  retry: { limit: 100, delaySeconds: 2 },
  expireSeconds: 600,
  concurrency: 2,
  perOwner: 1,
  onePer: 'owner',
});

/** Removes what is left of account records that are being deleted. */
export const ACCOUNT_REMOVAL = jobQueue({
  name: 'account-removal',
  payload: { owner: 'account_record' },
  retry: { limit: 100, delaySeconds: 2 },
  expireSeconds: 600,
  concurrency: 2,
  perOwner: 1,
  onePer: 'owner',
});

/** Sends a notification by e-mail and web push, to what it has not reached yet. */
export const NOTIFICATION = jobQueue({
  name: 'notification',
  payload: { notification: 'notification', owner: 'account_record' },
  retry: { limit: 5, delaySeconds: 10 },
  expireSeconds: 120,
  concurrency: 4,
  perOwner: 1,
  onePer: 'notification',
});

/** Every queue (docs/background-work.md). Recurring work is in the table of periodic work. */
export const QUEUES = [
  ACCOUNT_IMPORT,
  PROVIDER_DATA,
  SYNC_NEW_DATA,
  CONNECTION_CLEANUP,
  GRANT_REVOCATION,
  ACCOUNT_REMOVAL,
  NOTIFICATION,
];

export interface JobTables {
  jobs: {
    id: string;
    queue: string;
    account_record: OwnerId;
    payload: unknown;
    /**
     * The key by which later requests for the same work join the job. Null once a worker has taken it, and in queues
     * without `onePer`.
     */
    joining: string | null;
    due_at: Date;
    /** Attempts that failed, or whose worker died. */
    failures: number;
    fence: number;
    lease_until: Date | null;
    /** Of the request that enqueued it first, for the log. */
    request_id: string | null;
  };
}
