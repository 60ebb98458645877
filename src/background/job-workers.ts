import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { currentSpan } from '../platform/request-origin.ts';
import { failureType, inRoot, NO_TRACING, queueAttributes, type Tracing } from '../platform/tracing.ts';
import type { Db } from '../storage/database.ts';
import { isPayload, type JobQueue, type Payload, type PayloadSchema } from '../storage/job-queues.ts';
import {
  deleteJob,
  queuesWithDueJobs,
  renewJobLeases,
  retryJob,
  type TakenJob,
  takeJobs,
  voidJobLeases,
} from '../storage/jobs.ts';
import type { Notices } from '../storage/notices.ts';
import { publicId } from '../vocabulary/ids.ts';
import { isStoreUnavailable } from '../vocabulary/store-unavailable.ts';
import { Periodic, Rounds } from './periodic.ts';

/** How long the jobs of a process that died wait for another one. */
const LEASE_MS = 60_000;
const RENEW_MS = 15_000;
const LONGEST_DELAY_MS = 3_600_000;

type Handle = (payload: unknown, signal: AbortSignal) => Promise<void>;

interface JobInWork extends TakenJob {
  readonly lost: AbortController;
}

interface WorkedQueue {
  readonly queue: Omit<JobQueue, 'payload' | 'onePer'>;
  readonly handle: Handle;
  readonly inWork: Map<string, JobInWork>;
}

export interface JobWorkersOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly notices: Pick<Notices, 'onNotice' | 'onLost'>;
  /** Whether no other process can be working: then every lease found at the start is a dead one's. */
  readonly alone: boolean;
  /** By default, no traces. */
  readonly tracing?: Tracing;
}

/**
 * Takes the jobs of queues, as many at once as each queue allows, shared fairly between account records. A job is
 * leased: when its worker dies, another takes it once the lease has ended.
 */
export class JobWorkers {
  readonly #options: JobWorkersOptions;
  readonly #queues = new Map<string, WorkedQueue>();
  readonly #wanted = new Set<string>();
  readonly #working = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  readonly #rounds: Rounds;
  readonly #polling: Periodic;
  #renewedAt: number;

  constructor(options: JobWorkersOptions) {
    this.#options = options;
    this.#renewedAt = options.clock.now();
    this.#rounds = new Rounds(options.log, 'taking jobs', () => this.#takeWanted());
    this.#polling = new Periodic(options, 'due jobs', () => this.#poll());
  }

  /**
   * Takes the jobs of a queue from the start on. A handler that throws or exceeds the queue's time is retried by
   * the queue's rules, and so is a payload that cannot be read: a newer version that runs at the same time may
   * understand it. The handler's signal aborts when the job is to end.
   */
  work<S extends PayloadSchema>(
    queue: JobQueue<S>,
    handle: (payload: Payload<S>, signal: AbortSignal) => Promise<void>,
  ): void {
    this.#queues.set(queue.name, {
      queue,
      inWork: new Map(),
      handle: async (payload, signal) => {
        if (!isPayload(queue.payload, payload)) {
          const members = Object.keys(queue.payload).join(', ');
          throw new TypeError(`a job of ${queue.name} does not carry the ids it should: ${members}`);
        }
        await handle(payload, signal);
      },
    });
  }

  async start(): Promise<void> {
    const { db, alone, notices } = this.#options;
    if (alone) await voidJobLeases(db);
    notices.onNotice(({ kind, id }) => {
      if (kind === 'jobs') this.#want(id);
    });
    notices.onLost(() => this.#want(...this.#queues.keys()));
    this.#polling.start();
  }

  /**
   * Takes no more jobs and waits up to `deadlineMs` for those in progress. Others are left as if the process had died.
   */
  async stop(deadlineMs: number): Promise<void> {
    this.#stopping.abort();
    await this.#polling.stop();
    await this.#rounds.stop();
    const done = new AbortController();
    const late = this.#options.clock.sleep(deadlineMs, done.signal).catch(() => undefined);
    await Promise.race([Promise.allSettled(this.#working), late]);
    done.abort();
    for (const { lost } of this.#inWork()) lost.abort();
  }

  #want(...queues: readonly string[]): void {
    for (const name of queues) if (this.#queues.has(name)) this.#wanted.add(name);
    if (this.#wanted.size > 0) this.#rounds.wake();
  }

  *#inWork(): Generator<JobInWork> {
    for (const { inWork } of this.#queues.values()) yield* inWork.values();
  }

  async #poll(): Promise<void> {
    const { db, clock } = this.#options;
    await this.#renew();
    const free = [...this.#queues.values()].filter(({ queue, inWork }) => inWork.size < queue.concurrency);
    const names = free.map(({ queue }) => queue.name);
    this.#want(...(await queuesWithDueJobs(db, names, new Date(clock.now()))));
  }

  async #renew(): Promise<void> {
    const { db, clock } = this.#options;
    const jobs = [...this.#inWork()];
    const now = clock.now();
    if (jobs.length === 0 || now - this.#renewedAt < RENEW_MS) return;
    const renewed = await renewJobLeases(db, jobs, new Date(now + LEASE_MS));
    this.#renewedAt = now;
    for (const { id, lost } of jobs) if (!renewed.has(id)) lost.abort();
  }

  async #takeWanted(): Promise<boolean> {
    const wanted = [...this.#wanted];
    this.#wanted.clear();
    for (const name of wanted) {
      const worked = this.#queues.get(name);
      if (worked !== undefined) await this.#take(worked);
    }
    return false;
  }

  async #take(worked: WorkedQueue): Promise<void> {
    const { db, clock } = this.#options;
    const { queue, inWork } = worked;
    if (this.#stopping.signal.aborted || inWork.size >= queue.concurrency) return;
    const now = clock.now();
    // By id as well: the sandbox moves its clock, which ends leases but not the work.
    const here = {
      ids: [...inWork.keys()],
      owners: [...inWork.values()].map(({ account_record }) => account_record),
    };
    const taken = await takeJobs(db, queue, here, new Date(now), new Date(now + LEASE_MS));
    for (const job of taken) this.#begin(worked, job);
  }

  #begin(worked: WorkedQueue, taken: TakenJob): void {
    const job = { ...taken, lost: new AbortController() };
    worked.inWork.set(job.id, job);
    const { name } = worked.queue;
    const root = {
      name: `process ${name}`,
      kind: 'consumer',
      requestId: job.request_id,
      // A job may have waited for hours by intention, and its row does not say since when.
      place: 'later',
      attributes: { ...queueAttributes(name), 'tributary.attempt': job.failures + 1 },
    } as const;
    const work = inRoot(this.#options.tracing ?? NO_TRACING, root, (span) => {
      span?.ownedBy(publicId('account_record', job.account_record));
      return this.#work(worked, job);
    })
      .catch((error: unknown) => {
        // Its lease ends, and the job is taken again.
        if (isStoreUnavailable(error)) return;
        this.#options.log.error('Failed to record the end of a job.', { queue: worked.queue.name }, error);
      })
      .finally(() => {
        worked.inWork.delete(job.id);
        this.#working.delete(work);
        if (!this.#stopping.signal.aborted) this.#want(worked.queue.name);
      });
    this.#working.add(work);
  }

  async #work({ queue, handle }: WorkedQueue, job: JobInWork): Promise<void> {
    const { db } = this.#options;
    const { signal: lost } = job.lost;
    const expiry = new AbortController();
    const timer = setTimeout(
      () => expiry.abort(new Error('The job took too long.')),
      queue.expireSeconds * 1000,
    );
    const signal = AbortSignal.any([lost, expiry.signal]);
    const aborted = Promise.withResolvers<never>();
    signal.addEventListener('abort', () => aborted.reject(signal.reason), { once: true });
    try {
      if (job.failures > queue.retry.limit) throw new Error('The workers of this job died.');
      await Promise.race([handle(job.payload, signal), aborted.promise]);
    } catch (error) {
      currentSpan()?.fail(failureType(error));
      if (!lost.aborted) await this.#failed(queue, job, error);
      return;
    } finally {
      clearTimeout(timer);
    }
    await deleteJob(db, job);
  }

  async #failed({ name, retry }: WorkedQueue['queue'], job: TakenJob, error: unknown): Promise<void> {
    const { db, clock, log } = this.#options;
    const failures = job.failures + 1;
    if (failures > retry.limit) {
      log.error('A job failed for the last time.', { queue: name, failures }, error);
      await deleteJob(db, job);
      return;
    }
    if (!isStoreUnavailable(error))
      log.warn('A job failed and will be retried.', { queue: name, failures }, error);
    const delayMs = Math.min(retry.delaySeconds * 1000 * 2 ** (failures - 1), LONGEST_DELAY_MS);
    await retryJob(db, job, failures, new Date(clock.now() + delayMs));
  }
}
