import { type ConstructorOptions, fromKysely, fromPglite, PgBoss } from 'pg-boss';
import type { Db, OpenDatabase, Trx } from './database.ts';

/**
 * Every queue and what its jobs carry: ids and nothing else, because a payload is a row in the database.
 * `retryLimit` covers a worker that dies or throws; a job's own work decides what is worth repeating.
 */
export interface JobPayloads {
  'sync-run': { readonly run: string };
  'connection-cleanup': { readonly connection: string };
  'accounts-landing': { readonly connection: string };
}
export type JobName = keyof JobPayloads;

const QUEUES: Readonly<
  Record<JobName, { retryLimit: number; retryDelay: number; retryBackoff: boolean; expireInSeconds: number }>
> = {
  'sync-run': { retryLimit: 3, retryDelay: 1, retryBackoff: true, expireInSeconds: 3 * 3600 },
  'connection-cleanup': { retryLimit: 100, retryDelay: 2, retryBackoff: true, expireInSeconds: 300 },
  'accounts-landing': { retryLimit: 30, retryDelay: 2, retryBackoff: true, expireInSeconds: 120 },
};
const NAMES: readonly JobName[] = ['sync-run', 'connection-cleanup', 'accounts-landing'];

const NO_JOB = '00000000-0000-0000-0000-000000000000';

/** A job with a start time wakes nobody when it falls due; only polling finds it. */
const DELAYED_POLL_SECONDS = 2;

export interface EnqueueOptions {
  /** Not before this moment. */
  readonly startAfter?: Date;
}

/** The job queue (design section 3): pg-boss on our own database, so a job and the change that needs it commit together. */
export class Jobs {
  readonly #boss: PgBoss;

  constructor(database: OpenDatabase, onError: (error: unknown) => void) {
    this.#boss = new PgBoss({
      db: bossDatabase(database),
      ...(database.kind === 'embedded' ? { backend: 'pglite' as const, useListenNotify: true } : {}),
      schedule: false,
    });
    this.#boss.on('error', onError);
  }

  async start(): Promise<void> {
    await this.#boss.start();
    for (const name of NAMES) {
      if ((await this.#boss.getQueue(name)) === null)
        await this.#boss.createQueue(name, { ...QUEUES[name], notify: true });
      // Looking for any job makes the library remember the queue. Were it to ask for the queue on its own connection
      // during our transaction, the embedded database, which has one, would wait for itself forever.
      await this.#boss.getJobById(name, NO_JOB);
    }
  }

  /** Stops taking jobs and waits up to `timeoutMs` for those under way. */
  async stop(timeoutMs: number): Promise<void> {
    await this.#boss.stop({ graceful: timeoutMs > 0, timeout: timeoutMs, close: false });
  }

  /** Enqueues inside the caller's transaction: no commit, no job. */
  async enqueue<N extends JobName>(
    trx: Trx | Db,
    name: N,
    payload: JobPayloads[N],
    options: EnqueueOptions = {},
  ): Promise<void> {
    await this.#boss.send(name, payload, {
      db: fromKysely(trx),
      ...(options.startAfter === undefined ? {} : { startAfter: options.startAfter }),
    });
  }

  /** Takes jobs of one queue, `concurrency` at a time. A handler that throws is retried by the queue's own rule. */
  async work<N extends JobName>(
    name: N,
    concurrency: number,
    handle: (payload: JobPayloads[N], signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    await this.#boss.work<JobPayloads[N]>(
      name,
      {
        pollingIntervalSeconds: 0.5,
        notifyPollingIntervalSeconds: DELAYED_POLL_SECONDS,
        localConcurrency: concurrency,
        batchSize: 1,
      },
      async (jobs) => {
        for (const job of jobs) await handle(job.data, job.signal);
      },
    );
  }
}

function bossDatabase(database: OpenDatabase): NonNullable<ConstructorOptions['db']> {
  if (database.pglite !== null) return fromPglite(database.pglite);
  const pool = database.pool;
  if (pool === null) throw new TypeError('a database is either embedded or a pool');
  return { executeSql: async (text, values) => pool.query(text, values) };
}
